import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';
import { fromJSONSchema } from 'zod';

import { leakIn } from '../src/report/leaks.ts';
import { holdsSecret, withoutSecrets } from '../src/report/secrets.ts';
import { bundleCommand, commandPath, createFolder, place, start } from './command.ts';
import { broken, lines } from './sessions.ts';
import { claudeLog, createWorld, fixtureOf, said } from './tool-world.ts';

bundleCommand();
const parent = createFolder();

const secret = `sk-ant-${'a1B2'.repeat(8)}`;
const refusedTurns = [
  ['My password is under the third stone.', [{ type: 'tool_use', id: 'call 1', name: 'bash', input: {} }]],
  [`The key is ${secret}, keep it.`, said('I will tell nobody about the third stone.')],
] as const;

const schemaFile = (): string => join(commandPath(), '../../schema/doctor.json');

describe('--json', () => {
  test('keeps to the schema that the package ships, for every kind of entry', async () => {
    const schema = fromJSONSchema(
      JSON.parse(readFileSync(schemaFile(), 'utf8')) as Parameters<typeof fromJSONSchema>[0],
    );
    const world = createWorld(parent);
    const session = world.leave('claude-code', claudeLog(refusedTurns, world.project));
    const endangered = world.leave('gemini', readFileSync(fixtureOf('gemini'), 'utf8').slice(1));
    const { path: history } = place(parent, 'history.jsonl', `${lines(broken)}{"torn`);
    const { path: fixed } = place(parent, 'fixed.json', JSON.stringify(broken));
    await world.run(['doctor', '--fix', fixed]);
    const out = join(world.project, 'out.json');
    for (const args of [
      [session, endangered, history, join(parent, 'missing')],
      ['--undo', fixed],
      ['--out', out, session],
      ['--refusal', 'messages: text content blocks must be non-empty', history],
    ]) {
      const { stdout } = await world.run(['doctor', '--json', ...args]);
      const told: unknown = JSON.parse(stdout);
      expect(schema.safeParse(told).error).toBeUndefined();
      expect(schema.safeParse({ ...(told as object), files: [{ file: 'x' }] }).success).toBe(false);
    }
  });
});

test('--sarif names each rule, and the file and line of each finding', async () => {
  const world = createWorld(parent);
  const path = world.leave('claude-code', claudeLog(refusedTurns, world.project));
  const { path: history } = place(parent, 'history.jsonl', lines(broken));
  const ended = await world.run(['doctor', '--sarif', path, history]);
  const sarif = JSON.parse(ended.stdout) as {
    version: string;
    runs: { tool: { driver: { rules: { id: string }[] } }; results: Record<string, unknown>[] }[];
  };
  const [run] = sarif.runs;
  expect([ended.code, sarif.version]).toEqual([1, '2.1.0']);
  const uriOf = (name: string): object => ({ artifactLocation: { uri: `file://${name}` }, region: { startLine: 2 } });
  expect(run?.results).toMatchObject([
    { ruleId: 'call-id-malformed', level: 'error', locations: [{ physicalLocation: uriOf(path) }] },
    { ruleId: 'call-without-result', level: 'note', locations: [{ physicalLocation: uriOf(path) }] },
    { ruleId: 'call-without-result', level: 'error', locations: [{ physicalLocation: uriOf(history) }] },
  ]);
  expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(['call-id-malformed', 'call-without-result']);
});

describe('--report', () => {
  test('holds what a bug tracker needs, and no text, no name and no secret', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code', claudeLog(refusedTurns, world.project));
    const { path: history } = place(parent, 'history.json', JSON.stringify(broken));
    const out = join(world.project, 'report.md');
    const ended = await world.run(['doctor', path, history, '--report', out]);
    expect([ended.code, ended.stderr]).toEqual([1, `rethread: wrote ${out}; read it before you share it\n`]);
    const report = readFileSync(out, 'utf8');
    expect(report).toContain('## Claude Code 2.1.80: refused');
    expect(report).toContain('| line 2 | refused | call-id-malformed |');
    expect(report).toMatch(/\| 1 \| assistant \| call \(\d+\) \|/);
    for (const text of ['third stone', secret, world.home, 'How many files']) expect(report).not.toContain(text);
    const again = await world.run(['doctor', path, '--report', out]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
  });

  test('holds messages when that is asked for, without what looks like a secret', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code', claudeLog(refusedTurns, world.project));
    const out = join(world.project, 'report.md');
    await world.run(['doctor', path, '--report', out, '--with-text']);
    const report = readFileSync(out, 'utf8');
    expect(report).toContain('third stone');
    expect(report).toContain('The key is [secret], keep it.');
  });

  test('that would give something away is not written', () => {
    const messages = [{ role: 'user', content: 'My password is under the third stone.' }];
    const session = { title: 'Where the third stone lies' };
    const reported = [{ session, messages }] as unknown as Parameters<typeof leakIn>[1];
    expect(leakIn('a clean report', reported, false)).toBeUndefined();
    expect(leakIn('it says: My password is under the third stone.', reported, false)).toBe('text of the session');
    expect(leakIn('Where the third stone lies', reported, false)).toBe('text of the session');
    expect(leakIn('My password is under the third stone.', reported, true)).toBeUndefined();
    expect(leakIn(`with ${secret}`, reported, true)).toBe('something that looks like a secret');
  });
});

test.each([
  [secret],
  [`sk-proj-${'x9'.repeat(20)}`],
  [`ghp_${'Ab1'.repeat(12)}`],
  [`github_pat_${'Ab1_'.repeat(10)}`],
  [`xoxb-${'123456-'.repeat(4)}abc`],
  ['AKIAIOSFODNN7EXAMPLE'],
  [`AIza${'Sy1-'.repeat(9)}`],
  [`eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${'ab'.repeat(12)}`],
  [`-----BEGIN OPENSSH PRIVATE KEY-----\n${'b3Bl\n'.repeat(9)}-----END OPENSSH PRIVATE KEY-----`],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE'],
  [`Authorization: Bearer ${'tok'.repeat(9)}`],
  ['postgres://admin:hunter2000@db.example.com/x'],
  ['API_KEY="correct-horse-battery"'],
  ['{"password": "swordfish99"}'],
  [`npm_${'aB3'.repeat(12)}`],
  [`glpat-${'aB3'.repeat(7)}`],
])('%j is hidden as a secret', (text) => {
  const clean = withoutSecrets(`before ${text} after`);
  expect(clean).toContain('[secret]');
  expect(holdsSecret(clean)).toBe(false);
  expect(withoutSecrets(clean)).toBe(clean);
});

test.each([
  'a task-list with tokens: many',
  'https://example.com/a:b@c',
  'call_1_0_1srva9j10m3uu6',
  'toolu_01ABCDEFGH',
])('%j is no secret', (text) => {
  expect(withoutSecrets(text)).toBe(text);
});

test('--watch prints a line when the verdict changes, and ends with Ctrl-C', async () => {
  const world = createWorld(parent);
  const path = world.leave('claude-code', claudeLog([['hello', said('hi')]], world.project));
  const running = start(['doctor', '--watch', path], { cwd: world.project, env: { HOME: world.home } });
  await running.printed(/healthy, 100 % sent {2}Claude Code/);
  world.write(path.slice(world.home.length), claudeLog(refusedTurns, world.project));
  await running.printed(/healthy → refused, 100 % sent/);
  running.signal('SIGINT');
  const ended = await running.ended;
  expect(ended.stdout.trimEnd().split('\n')).toHaveLength(2);
  expect(existsSync(path)).toBe(true);
});
