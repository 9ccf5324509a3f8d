import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { usageIn } from '../src/usage/usage-in.ts';
import { bundleCommand, createFolder } from './command.ts';
import { claudeLog, createWorld, said, type World } from './tool-world.ts';

bundleCommand();
const parent = createFolder();

const callTurns = [
  ['Count the files.', [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls | wc -l' } }]],
  ['Never mind, fix the zeppelin parser.', said('It is fixed.')],
] as const;

describe('show', () => {
  test('tells a session turn by turn: times, calls with their results, and what was interrupted', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code', claudeLog(callTurns, world.project));
    const ended = await world.run(['show', path]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('turn 0  2026-11-01 10:00  about');
    expect(ended.stdout).toMatch(/call {7}bash \{"command":"ls \| wc -l"\} → no result/);
    expect(ended.stdout.match(/interrupted/g)).toHaveLength(1);
    expect(ended.stdout).toMatch(
      /turn 1 .*\n {2}user {7}Never mind, fix the zeppelin parser\.\n {2}assistant {2}It is/,
    );
  });

  test('shows the newest turns, all of them when that is asked for, and the same to a machine', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code', claudeLog(callTurns, world.project));
    const last = await world.run(['show', path, '--last', '1']);
    expect(last.stdout).toContain('… 1 earlier turn; --all shows them');
    expect(last.stdout).not.toContain('wc -l');
    const { stdout } = await world.run(['show', 'last', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'rethread/show@1',
      tool: 'claude-code',
      turns: [
        { kind: 'user', from: 0, to: 2, interrupted: true, at: '2026-11-01T10:00:00.000Z' },
        { kind: 'user', from: 2, to: 4, interrupted: false, steps: [{ kind: 'user' }, { text: 'It is fixed.' }] },
      ],
    });
  });

  test('a call stands with its own result, also where ids are used again', async () => {
    const world = createWorld(parent);
    world.leave('codex');
    const ended = await world.run(['show', 'last', '--json']);
    const { turns } = JSON.parse(ended.stdout) as { turns: { steps: object[] }[] };
    expect(turns.at(-1)?.steps).toContainEqual(
      expect.objectContaining({ tool: 'exec_command', outcome: 'ok', result: 5 }),
    );
  });
});

describe('search', () => {
  const zeppelin = (world: World): Promise<string> =>
    world.run(['search', '--json', 'zeppel']).then(({ stdout }) => stdout);

  test('finds words in the sessions of every tool, with tool, session and place', async () => {
    const world = createWorld(parent);
    world.leave('claude-code', claudeLog(callTurns, world.project));
    world.leave('codex');
    const found = await world.run(['search', 'zeppelin', 'FIX']);
    expect([found.code, found.stderr]).toEqual([0, '1 record found\n']);
    expect(found.stdout).toMatch(/^aaaa1111 {2}Claude Code {2}Count the files\.\n {2}line 3 {2}user {2}Never mind/);
    expect((await world.run(['search', 'hello'])).stdout).toContain('Codex');
    expect((await world.run(['search', 'zeppelin', 'hello'])).code).toBe(1);
    expect((await world.run(['search', '--tool', 'codex', '--', 'zeppelin'])).code).toBe(1);
    expect((await world.run(['search', '"', '*'])).stderr).toBe('rethread: there is no word to look for\n');
  });

  test('the index follows what changes and what goes away', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code', claudeLog(callTurns, world.project));
    expect(await zeppelin(world)).toContain('"place": "line 3"');
    world.leave('claude-code', claudeLog([['Something else now.', said('Yes.')]], world.project));
    expect(JSON.parse(await zeppelin(world))).toMatchObject({ hits: [] });
    expect((await world.run(['search', 'something'])).code).toBe(0);
    rmSync(path);
    expect((await world.run(['search', 'something'])).code).toBe(1);
  });

  test('the index is private, can be deleted, and is made again when it is damaged', async () => {
    const world = createWorld(parent);
    world.leave('claude-code', claudeLog(callTurns, world.project));
    await zeppelin(world);
    const folder = join(world.home, '.cache/rethread');
    const index = join(folder, 'search-1.sqlite');
    expect([statSync(folder).mode & 0o777, statSync(index).mode & 0o777]).toEqual([0o700, 0o600]);
    writeFileSync(index, 'no database at all '.repeat(100));
    expect(await zeppelin(world)).toContain('line 3');
    rmSync(folder, { recursive: true });
    expect(await zeppelin(world)).toContain('line 3');
    expect(readdirSync(folder)).toContain('search-1.sqlite');
  });

  test('names and seals are not searched', async () => {
    const world = createWorld(parent);
    world.leave('claude-code', claudeLog(callTurns, world.project));
    for (const word of ['toolu_1', 'aaaa1111', 'tool_use']) expect((await world.run(['search', word])).code).toBe(1);
  });
});

describe('stats', () => {
  test('counts sessions by tool, model and day, and each request once', async () => {
    const world = createWorld(parent);
    const usage = { input_tokens: 100, output_tokens: 7, cache_read_input_tokens: 1000 };
    const log = claudeLog(callTurns, world.project).replaceAll('"model"', `"usage":${JSON.stringify(usage)},"model"`);
    const [first = ''] = log.split('\n').filter((line) => line.includes('msg_1'));
    // Claude Code writes an answer as several lines, each with the figures of the whole.
    world.leave('claude-code', `${log}${first.replace('"a1"', '"a9"').replace('"u1"', '"a1"')}\n`);
    world.leave('codex');
    const ended = await world.run(['stats']);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain(
      '2 requests: 200 tokens in, 2000 from the cache, 14 out (each request counted once)',
    );
    expect(ended.stdout).toMatch(/^Claude Code +1 +2 +2214 +0 {2}█{16}$/m);
    expect(ended.stdout).toMatch(/^claude-sonnet-4-5 +1 /m);
    expect(ended.stdout).toMatch(/^2026-11-01 +2 /m);
    const told = JSON.parse((await world.run(['stats', '--json', '--tool', 'codex'])).stdout) as object;
    expect(told).toMatchObject({ schema: 'rethread/stats-sessions@1', sessions: 1, tools: [{ name: 'codex' }] });
  });

  test.each([
    [
      'Codex',
      { payload: { info: { last_token_usage: { input_tokens: 5, cached_input_tokens: 3, output_tokens: 2 } } } },
    ],
    ['Gemini CLI', { id: 'g1', tokens: { input: 5, output: 2, cached: 3 } }],
    ['opencode', { id: 'm1', tokens: { input: 5, output: 2, cache: { read: 3 } } }],
    ['pi', { id: 'e1', message: { usage: { input: 5, output: 2, cacheRead: 3 } } }],
  ])('knows where %s keeps what the provider counted', (_, value) => {
    const place = { kind: 'line', file: 'f', line: 1, byte: 0, bytes: 1 } as const;
    expect(usageIn({ place, value })).toMatchObject({ input: 5, output: 2, cached: 3 });
  });

  test('figures that are none count for nothing', () => {
    const place = { kind: 'line', file: 'f', line: 1, byte: 0, bytes: 1 } as const;
    expect(usageIn({ place, value: { usage: { input_tokens: 'many', output_tokens: -5 } } })).toBeUndefined();
    expect(usageIn({ place, value: { usage: [1] } })).toBeUndefined();
  });
});

test('the commands on a store are below store, and their old names still work', async () => {
  const world = createWorld(parent);
  const store = `file:${join(world.home, 'store')}`;
  for (const args of [['sessions'], ['store', 'sessions'], ['show', 'x'], ['store', 'show', 'x']]) {
    const ended = await world.run([...args, '--store', store]);
    expect([args, ended.code, ended.stderr]).toEqual([args, 2, `rethread: there is no store ${store}\n`]);
  }
  const help = await world.run(['store', '--help']);
  for (const name of ['sessions', 'show', 'fork', 'export', 'import', 'erase'])
    expect(help.stdout).toContain(`  ${name} `);
  expect(existsSync(join(world.home, 'store'))).toBe(false);
});
