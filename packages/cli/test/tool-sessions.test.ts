import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { columnsOf } from '../src/terminal/columns.ts';
import { bundleCommand, commandPath, createFolder, hasTerminals } from './command.ts';
import { claudeLog, createWorld, fixtureOf, said } from './tool-world.ts';

bundleCommand();
const parent = createFolder();

/** A call whose id the provider does not take; Claude Code sends it as it is. */
const refusedTurns = [
  ['Count the files.', [{ type: 'tool_use', id: 'call 1', name: 'bash', input: { command: 'ls | wc -l' } }]],
  ['And now?', said('There are 42.')],
] as const;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** What a terminal may obey or hide. */
const obeyed = /[\p{Cc}\u202E]/u;

const gemini = readFileSync(fixtureOf('gemini'), 'utf8');

describe('one session', () => {
  test('that its tool can go on with is healthy, and the command to resume it is named', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code');
    const ended = await world.run(['doctor', path]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('healthy    The provider would accept the next request.');
    expect(ended.stdout).toMatch(/Go on:\n {2}claude --resume 5e551011-0000-4000-8000-000000000001\n$/);
  });

  test('that the provider would refuse is shown in its words, with the repair and the next command', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code', claudeLog(refusedTurns, world.project));
    const ended = await world.run(['doctor', path]);
    expect([ended.code, ended.stderr]).toEqual([1, '']);
    expect(ended.stdout).toContain("tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'");
    expect(ended.stdout).toContain('refused    call-id-malformed  line 2');
    expect(ended.stdout).toContain('mended     call-without-result  line 2');
    expect(ended.stdout).toContain('The provider then accepts it.');
    expect(ended.stdout).toContain(`rethread doctor ${path} --out repaired.json`);
  });

  test('that its tool would delete is endangered: do not start it, copy the file first', async () => {
    const world = createWorld(parent);
    const path = world.leave('gemini', gemini.slice(1));
    const ended = await world.run(['doctor', path]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('endangered Gemini CLI deletes this file at its next start');
    expect(ended.stdout).toContain('Do not start Gemini CLI');
    expect(ended.stdout).toContain(`First make a copy of the file:\n  cp -p ${path} ${path}.copy\n`);
  });

  test('is found by its id, by the first characters of that, and by last', async () => {
    const world = createWorld(parent);
    world.leave('claude-code');
    world.leave('pi');
    for (const word of ['5e551011-0000-4000-8000-000000000001', '5e55', 'last']) {
      const ended = await world.run(['doctor', '--json', word]);
      expect([word, ended.stderr]).toEqual([word, '']);
      expect(JSON.parse(ended.stdout)).toMatchObject({ files: [{ tool: expect.any(String) as string }] });
    }
    const none = await world.run(['doctor', 'f00f00']);
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toBe('rethread: f00f00 is no file, and no session has an id that begins like this\n');
  });

  test('whose id begins like that of another is asked for by more of it', async () => {
    const world = createWorld(parent);
    const log = claudeLog([['hello', said('hi')]], world.project);
    world.write('.claude/projects/p/one.jsonl', log);
    world.write('.claude/projects/p/two.jsonl', log.replaceAll('000000000001', '000000000002'));
    const ended = await world.run(['doctor', 'aaaa']);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(/^rethread: aaaa is the beginning of 2 ids; give more of it: aaaa1111-[^\n]+\n$/);
  });

  test('comes through standard input, and through the pipe that a shell makes', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code');
    const piped = await world.run(['doctor', '-'], { input: readFileSync(path) });
    expect([piped.code, piped.stderr]).toEqual([0, '']);
    expect(piped.stdout).toContain('Claude Code 2.1.80');
    const temporary = join(world.home, 'tmp');
    world.write('tmp/kept', '');
    const script = 'cat "$0" | "$1" "$2" doctor /dev/fd/0';
    const env = { ...process.env, HOME: world.home, TMPDIR: temporary };
    const shown = execFileSync('sh', ['-c', script, path, process.execPath, commandPath()], { env, encoding: 'utf8' });
    expect(shown).toContain('Claude Code 2.1.80');
    expect(readdirSync(temporary)).toEqual(['kept']);
  });

  test('is repaired into a new file with --out, and left as it is', async () => {
    const world = createWorld(parent);
    const content = claudeLog(refusedTurns, world.project);
    const path = world.leave('claude-code', content);
    const out = join(world.project, 'repaired.json');
    const ended = await world.run(['doctor', path, '--out', out]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain(`The repaired messages are in ${out}.`);
    const messages: unknown = JSON.parse(readFileSync(out, 'utf8'));
    expect(check(messages, { dialect: 'anthropic-messages', model: 'claude-sonnet-4-5' }).verdict).toBe('clean');
    expect(readFileSync(path, 'utf8')).toBe(content);
    const again = await world.run(['doctor', path, '--out', out]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
  });

  test('is not changed by --fix', async () => {
    const world = createWorld(parent);
    const content = claudeLog(refusedTurns, world.project);
    const path = world.leave('claude-code', content);
    const ended = await world.run(['doctor', '--fix', path]);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain('is a session of Claude Code: rethread does not change it; --out <file> writes');
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  test('folds a long list, and --all unfolds it', async () => {
    const world = createWorld(parent);
    const call = (index: number): object => ({ type: 'tool_use', id: `call ${index}`, name: 'bash', input: {} });
    const turns = Array.from({ length: 9 }, (_, index) => ['go on', [call(index)]] as const);
    const path = world.leave('claude-code', claudeLog(turns, world.project));
    const folded = await world.run(['doctor', path]);
    expect(folded.stdout).toContain('call-id-malformed × 9  line 2, line 4, line 6, line 8, line 10 and 4 more places');
    const all = await world.run(['doctor', '--all', path]);
    expect(all.stdout.match(/call-id-malformed {2}line/g)).toHaveLength(9);
  });
});

describe('of a folder or a glob', () => {
  test('every session is judged, and other files are passed over', async () => {
    const world = createWorld(parent);
    world.leave('claude-code');
    world.write('.claude/projects/-project/package.json', '{"name":"x","version":"1.0.0"}');
    world.write('.claude/projects/-project/history.json', JSON.stringify([{ role: 'user', content: 'hi' }]));
    for (const word of [join(world.home, '.claude'), join(world.home, '.claude/projects/*/*.json*')]) {
      const ended = await world.run(['doctor', '--json', word]);
      const { files } = JSON.parse(ended.stdout) as { files: { file: string }[] };
      expect(files.map(({ file }) => file.split('/').at(-1))).toEqual(['5e551011.jsonl', 'history.json']);
    }
  });
});

describe('other commands take the next request of a session for its history, and nothing else', () => {
  const metadata = { type: 'last-prompt', lastPrompt: 'metadata of the tool', leafUuid: 'a1' };
  const turnsOf = [
    ['Fix the parser.', said('Done.')],
    ['And the lexer.', said('Done, too.')],
  ] as const;

  test.each([
    [['turns', '--json']],
    [['slice', '--last', '1', '--json']],
    [['convert', '--to', 'openai-chat', '--json']],
    [['compact', '--json']],
    [['judge', '--json']],
  ])('%j', async (args) => {
    const world = createWorld(parent);
    const content = `${claudeLog(turnsOf, world.project)}${JSON.stringify(metadata)}\n`;
    const path = world.leave('claude-code', content);
    for (const word of [path, 'last', 'aaaa1111']) {
      const ended = await world.run([...args, word]);
      expect([word, ended.code]).toEqual([word, 0]);
      expect(ended.stdout).not.toMatch(/metadata|parentUuid/);
      const told = JSON.parse(ended.stdout) as { turns?: object[]; output?: object[] };
      if (told.turns !== undefined) expect(told.turns).toMatchObject([{ says: 'Fix the parser.' }, { kind: 'user' }]);
      if (args[0] === 'slice') expect(told.output).toHaveLength(2);
      if (args[0] === 'convert') expect(told.output).toHaveLength(4);
    }
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  test('a session is never compacted in place, nor read in another dialect', async () => {
    const world = createWorld(parent);
    const content = claudeLog(turnsOf, world.project);
    const path = world.leave('claude-code', content);
    for (const [args, sentence] of [
      [['compact', '--write', '--budget', '1'], 'is a session of Claude Code, and cannot be changed; use --out'],
      [['convert', '--from', 'openai-chat', '--to', 'gemini'], 'is a session of Claude Code in anthropic-messages'],
      [['turns', '--dialect', 'openai-chat'], 'is a session of Claude Code in anthropic-messages'],
    ] as const) {
      const ended = await world.run([...args, path]);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toContain(sentence);
    }
    expect(readFileSync(path, 'utf8')).toBe(content);
  });

  test('a file of a tool that is not known is refused', async () => {
    const world = createWorld(parent);
    const entry = { uuid: 'u1', sessionKind: 'x', message: { role: 'user', content: 'hi' } };
    const path = world.write('odd.jsonl', `${JSON.stringify(entry)}\n`.repeat(3));
    for (const args of [
      ['turns'],
      ['slice', '--last', '1'],
      ['convert', '--from', 'anthropic-messages', '--to', 'gemini'],
    ]) {
      const ended = await world.run([...args, path]);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toContain('looks like a session file of another tool');
    }
  });
});

test('nothing from a session is obeyed by a terminal', async () => {
  const world = createWorld(parent);
  const escape = '\u001B]0;owned\u0007\u001B[2J\u202Eevil';
  const log = claudeLog([[`${escape}prompt`, said(escape)]], `${world.project}${escape}`).replaceAll('msg_0', escape);
  const path = world.leave('claude-code', log.replaceAll('2.1.80', JSON.stringify(escape).slice(1, -1)));
  for (const args of [['doctor', path], ['doctor', '--all', path], ['--all'], ['doctor', 'last'], ['turns', path]]) {
    const { stdout, stderr } = await world.run(args);
    expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(obeyed);
  }
});

describe('without a command', () => {
  test('the sessions of this project are listed, from every tool, the newest first, and the next command', async () => {
    const world = createWorld(parent);
    const log = claudeLog([['Fix the parser.', said('Done.')]], world.project);
    world.leave('claude-code', log);
    world.leave('gemini', gemini.replace('"00ff"', JSON.stringify(sha256(world.project))));
    world.leave('codex');
    const ended = await world.run([]);
    expect([ended.code, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toContain('2 sessions: 2 healthy in ~/project');
    expect(ended.stdout).toMatch(/aaaa1111 {2}claude-code .* healthy {2}100 % {2}Fix the parser\./);
    expect(ended.stdout).toContain('not listed: 1 session of other projects (rethread --all)');
    expect(ended.stdout).toMatch(/Go on with the newest:\n {2}(claude|gemini) --resume \S+\n$/);
  });

  test('--all lists the whole machine by tool, the worst first', async () => {
    const world = createWorld(parent);
    world.leave('claude-code');
    world.leave('codex');
    const deleted = world.leave('gemini', gemini.slice(1));
    const ended = await world.run(['--all']);
    expect([ended.code, ended.stderr]).toEqual([1, '']);
    const order = [...ended.stdout.matchAll(/^(Claude Code|Codex|Gemini CLI) /gm)].map(([, name]) => name);
    expect(order[0]).toBe('Gemini CLI');
    expect(new Set(order)).toEqual(new Set(['Claude Code', 'Codex', 'Gemini CLI']));
    expect(ended.stdout).toContain('Do not start Gemini CLI before there is a copy:\n  cp -p');
    expect(existsSync(`${deleted}.copy`)).toBe(false);
  });

  test('a second run judges nothing again, and a file that has changed is judged anew', async () => {
    const world = createWorld(parent);
    const path = world.leave('claude-code', claudeLog([['hello', said('hi')]], world.project));
    expect((await world.run([])).stdout).toContain('1 healthy');
    expect(existsSync(join(world.home, '.cache/rethread/sessions-1.sqlite'))).toBe(true);
    expect((await world.run([])).stdout).toContain('1 healthy');
    world.write(path.slice(world.home.length), claudeLog(refusedTurns, world.project));
    expect((await world.run([])).stdout).toContain('1 refused');
  });

  test('an empty machine is told of, and is no failure', async () => {
    const world = createWorld(parent);
    const ended = await world.run([]);
    expect([ended.code, ended.stdout, ended.stderr]).toEqual([0, 'No tool has left a session in ~/project.\n', '']);
  });

  test('a machine can read the list', async () => {
    const world = createWorld(parent);
    world.leave('codex');
    const { sessions, schema } = JSON.parse((await world.run(['--all', '--json'])).stdout) as {
      schema: string;
      sessions: object[];
    };
    expect(schema).toBe('rethread/list@1');
    expect(sessions).toMatchObject([{ tool: 'codex', verdict: 'healthy', turns: 1, share: 1 }]);
  });

  test.skipIf(!hasTerminals)('no line is wider than the terminal', async () => {
    const world = createWorld(parent);
    const title = '日本語のタイトルがとても長いのでどこかで切らなければなりません '.repeat(3);
    world.leave('claude-code', claudeLog([[title, said('hi')]], world.project));
    world.leave('codex');
    world.leave('gemini');
    for (const columns of [60, 80, 120]) {
      const { stdout } = await world.run(['--all'], { terminal: true, columns });
      const shown = stripVTControlCharacters(stdout).split(/\r?\n/);
      expect(shown.filter((line) => columnsOf(line) > columns && !line.startsWith('  '))).toEqual([]);
    }
  });
});
