import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { check } from '@rethread/core';
import { describe, expect, test } from 'vitest';

import { bundleCommand, commandPath, createFolder, place, run } from './command.ts';
import { broken, call, healthy, lines, more, question } from './sessions.ts';

bundleCommand();
const parent = createFolder();

const [finding] = check(broken).findings;
const rule = finding?.rule ?? 'none was found';

describe('exit codes', () => {
  test.each([
    ['a healthy list', JSON.stringify(healthy), 0],
    ['healthy lines', lines(healthy), 0],
    ['a broken list', JSON.stringify(broken), 1],
    ['broken lines', lines(broken), 1],
    ['healthy lines with a torn one', `${lines(healthy)}{"ro`, 1],
  ])('%s', async (_, content, code) => {
    const { path, files } = place(parent, 'session', content);
    const ended = await run(['doctor', path]);
    expect([ended.code, ended.stderr]).toEqual([code, '']);
    expect(files()).toEqual(['session']);
    const piped = await run(['doctor', '-'], { input: content });
    expect([piped.code, piped.stderr]).toEqual([code, '']);
  });

  const item = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'ls', arguments: '{}' };
  test.each([
    ['openai-responses, JSON, 2 messages', { model: 'gpt-5', input: [{ role: 'user', content: 'hi' }, item] }, 1],
    ['openai-responses, JSON, 1 message', { model: 'gpt-5', input: 'hi' }, 0],
    ['gemini, JSON, 1 message', { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }, 0],
    ['gemini, JSON, 1 message', { contents: { role: 'user', parts: [{ text: 'hi' }] } }, 0],
  ])('a request, whatever its list is called: %s, %j', async (told, body, code) => {
    const ended = await run(['doctor', '-'], { input: JSON.stringify(body) });
    expect(ended.stdout).toContain(told);
    expect([ended.code, ended.stderr]).toEqual([code, '']);
  });

  test('of several files the worst counts, and each is told of', async () => {
    const good = place(parent, 'good.json', JSON.stringify(healthy)).path;
    const bad = place(parent, 'bad.json', JSON.stringify(broken)).path;
    const ended = await run(['doctor', good, bad]);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain(`${good}: anthropic-messages, JSON, 5 messages`);
    expect(ended.stdout).toContain(`${bad}: anthropic-messages, JSON, 3 messages`);
    expect((await run(['doctor', bad, join(parent, 'missing'), good])).code).toBe(2);
  });

  test.each([
    [['doctor', 'x', '--no-such-option']],
    [['doctor', 'x', '--dialect', 'klingon']],
    [['doctor', 'x', '--policy', 'hope']],
    [['doctor', 'x', '--fix', '--undo']],
    [['doctor', 'x', 'x']],
    [['docter']],
    [['docter', '--help']],
    [['list', 'x']],
    [['--no-such-option']],
  ])('%j is a usage error', async (args) => {
    const ended = await run(args);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).not.toBe('');
  });

  test.each([[['--help']], [['doctor', '--help']], [['help', 'doctor']], [['--version']], [['doctor', '--version']]])(
    '%j is no error',
    async (args) => {
      const ended = await run(args);
      expect([ended.code, ended.stderr]).toEqual([0, '']);
      expect(ended.stdout).not.toBe('');
    },
  );
});

describe('what cannot be read is told in one sentence on standard error', () => {
  const own = createFolder();
  const cases: readonly (readonly [string, (path: string) => void, string])[] = [
    ['missing', () => {}, 'cannot be read: no such file'],
    ['a folder', (path) => mkdirSync(path), 'holds no session that is known here'],
    ['a pipe', (path) => execFileSync('sh', ['-c', 'mkfifo "$0"', path]), 'is a pipe, socket or device'],
    ['a link to a device', (path) => symlinkSync('/dev/zero', path), 'is a pipe, socket or device'],
    ['a link to itself', (path) => symlinkSync(path, path), 'cannot be read: it is, or leads through, a symbolic link'],
  ];

  test.each(cases)('%s', async (name, make, sentence) => {
    const path = join(own, name.replaceAll(' ', '-'));
    make(path);
    for (const mode of [[], ['--fix']]) {
      const ended = await run(['doctor', ...mode, path]);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toMatch(/^rethread: [^\n]+\n$/);
      if (mode.length === 0) expect(ended.stderr).toContain(`${path} ${sentence}`);
    }
  });

  test.each([
    ['empty', '', 'is empty'],
    ['blank', '\n\n', 'is empty'],
    ['text', 'Dear diary,\ntoday I\n', 'is not JSON'],
    ['cut off', JSON.stringify(healthy, null, 2).slice(0, 50), 'is cut off'],
    ['a number', '42', 'is JSON but not a history'],
    ['an object', '{"name":"rethread"}', 'is JSON but not a history'],
    ['messages of no list', '{"messages":{}}', 'is JSON but not a history'],
    [
      'a list in each line',
      '[1]\n[2]\n',
      'has a list of its own in its first line, and most of its lines are no messages',
    ],
    [
      'a very deep list',
      `[{"role":"user","content":${'['.repeat(50_000)}${']'.repeat(50_000)}}]`,
      'is nested too deeply',
    ],
    [
      'a list of something else',
      '[{"colour":"red"},{"colour":"blue"}]',
      'is not a history in a dialect rethread knows',
    ],
  ])('%s', async (_, content, sentence) => {
    const { path, files } = place(parent, 'session', content);
    for (const args of [[path], ['--fix', path], ['-']]) {
      const ended = await run(['doctor', ...args], { input: content });
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toMatch(/^rethread: [^\n]+\n$/);
      expect(ended.stderr).toContain(sentence);
    }
    expect(files()).toEqual(['session']);
  });

  test('a file of 1 GiB, without reading it', async () => {
    const { path } = place(parent, 'large.jsonl', lines(healthy));
    truncateSync(path, 2 ** 30);
    const ended = await run(['doctor', '--fix', path]);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toBe(`rethread: ${path} is 1,074 MB; the limit is 1,000 MB\n`);
  });

  test.skipIf(process.getuid?.() === 0)('a file that may not be read', async () => {
    const { path } = place(parent, 'secret.json', JSON.stringify(healthy));
    chmodSync(path, 0o000);
    const ended = await run(['doctor', path]);
    expect([ended.code, ended.stderr]).toEqual([2, `rethread: ${path} cannot be read: permission denied\n`]);
  });

  test('with --json as an entry too', async () => {
    const ended = await run(['doctor', '--json', join(parent, 'missing')]);
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({ files: [{ error: 'cannot be read: no such file', exitCode: 2 }] });
  });
});

describe('the report for people', () => {
  test('says where, how bad, which rule, what the provider answers, what a repair does, how to go on', async () => {
    const { path } = place(parent, 'session.jsonl', `\n${lines(broken)}`);
    const { stdout } = await run(['doctor', path]);
    const [head, first, ...rest] = stdout.split('\n');
    expect(head).toBe(`${path}: anthropic-messages, JSONL, 3 messages`);
    expect(first).toMatch(new RegExp(String.raw`^m1\.1  rejected  ${rule}  .+ \(line 3\)$`));
    expect(rest.join('\n')).toContain('expected error: ');
    expect(rest.join('\n')).toContain(finding?.providerError ?? 'no text');
    expect(rest.join('\n')).toContain(`→ rethread explain ${rule}`);
    expect(rest.join('\n')).toContain('(synthetic)');
    expect(rest.join('\n')).toContain('1 finding · 1 repairable · 0 lossy · 100 % of the content preserved');
    expect(rest.join('\n')).toContain('broken: the provider would refuse it');
    expect(rest.join('\n')).toContain(`Next: rethread doctor --fix ${path}`);
  });

  test('shows the first 20 findings and counts the rest, and all with --all', async () => {
    const many = Array.from({ length: 30 }, (_, index) => [
      question,
      { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${index}`, name: 'bash', input: {} }] },
    ]).flat();
    const { path } = place(parent, 'many.json', JSON.stringify([...many, more]));
    const places = (text: string): number => text.split('\n').filter((line) => /^m\d+\.\d+ {2}/.test(line)).length;
    const short = await run(['doctor', path]);
    expect(places(short.stdout)).toBe(20);
    expect(short.stdout).toContain('… and 10 more findings; --all shows them');
    expect(places((await run(['doctor', '--all', path])).stdout)).toBe(30);
  });

  test('with --quiet is one line for a file with findings and none for a healthy one', async () => {
    const good = place(parent, 'good.json', JSON.stringify(healthy)).path;
    const bad = place(parent, 'bad.json', JSON.stringify(broken)).path;
    expect((await run(['doctor', '--quiet', good])).stdout).toBe('');
    expect((await run(['doctor', '--quiet', good, bad])).stdout).toMatch(
      /^[^\n]+bad\.json: broken[^\n]+1 finding[^\n]+\n$/,
    );
  });
});

test('the report for machines holds findings, repairs and what is preserved', async () => {
  const { path } = place(parent, 'session.jsonl', `${lines(broken)}{"ro`);
  const { code, stdout } = await run(['doctor', '--json', path]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    schema: 'rethread/doctor@1',
    files: [
      {
        file: path,
        form: 'jsonl',
        dialect: 'anthropic-messages',
        messages: 3,
        verdict: 'broken',
        findings: [{ rule, severity: 'rejected', at: { message: 1, part: 1 }, line: 2 }],
        fileFindings: [{ rule: 'torn-last-line', line: 4 }],
        repair: { verdict: 'repaired', preserved: { ratio: 1 }, repairs: [{ rule, loss: 'synthetic' }] },
        exitCode: 1,
      },
    ],
  });
});

describe('nothing from a session or a file name is obeyed by a terminal', () => {
  const hostile = '\u001B]52;c;eA==\u0007\u001B[2J\u009B31m\u202E\u2066\r\nm0  rejected  fake\u2028\u007F\uD800';
  const named = { type: 'tool_use', id: `toolu_${hostile}`, name: `bash${hostile}`, input: { [hostile]: hostile } };
  const session = [
    { role: `user`, content: hostile },
    { role: 'assistant', content: [named], [hostile]: hostile },
    { role: hostile, content: [{ type: hostile }] },
  ];
  const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;
  const styles = new RegExp(`${String.fromCodePoint(27)}\\[(?:1|2|22|31|32|33|36|39)m`, 'g');

  test.each([
    [['doctor', '--all'], {}],
    [['doctor', '--json'], {}],
    [['doctor', '--quiet'], {}],
    [['doctor', '--all'], { FORCE_COLOR: '1' }],
  ])('%j %j', async (args, env) => {
    const { path } = place(parent, `s\u001B[31m\u202E\n.json`, JSON.stringify(session));
    const shown = await run([...args, path, `${path}-missing`], { env });
    const { stdout, stderr } = shown;
    expect(stdout.length).toBeGreaterThan(10);
    expect(stderr).toContain('no such file');
    for (const text of [stdout.replaceAll(styles, ''), stderr]) expect(text.replaceAll('\n', '')).not.toMatch(obeyed);
    expect(stdout.split('\n').filter((line) => line.startsWith('m0  rejected  fake'))).toEqual([]);
  });

  test('nor from the command line', async () => {
    const { stderr } = await run(['doctor', `--${hostile}`.slice(0, 40).replaceAll('\0', '')]);
    expect(stderr.replaceAll('\n', '')).not.toMatch(obeyed);
    const asked = await run(['explain', 'a\u001B[31mb']);
    expect(asked.stderr.replaceAll('\n', '')).not.toMatch(obeyed);
  });
});

test('--dialect, --as and --policy reach the core', async () => {
  const ended = [question, { role: 'assistant', content: 'Four.' }];
  const { path } = place(parent, 'answered.json', JSON.stringify(ended));
  const anthropic = ['doctor', '--dialect', 'anthropic-messages', path];
  expect((await run(anthropic)).code).toBe(0);
  expect((await run([...anthropic, '--as', 'request'])).code).toBe(1);
  const { stdout } = await run(['doctor', '--json', '--dialect', 'openai-chat', path]);
  expect(JSON.parse(stdout)).toMatchObject({ files: [{ dialect: 'openai-chat' }] });
  const bad = place(parent, 'bad.json', JSON.stringify(broken)).path;
  const discarded = await run(['doctor', '--json', '--policy', 'discard', bad]);
  expect(JSON.parse(discarded.stdout)).toMatchObject({ files: [{ repair: { repairs: [{ action: 'drop' }] } }] });
});

test('a reader that goes away early is no error', async () => {
  const { path } = place(
    parent,
    'session.json',
    JSON.stringify([question, ...Array.from({ length: 400 }, () => call), more]),
  );
  const shell = `"${process.execPath}" "${commandPath()}" doctor --all "${path}" | head -n 1`;
  const ended = execFileSync('sh', ['-c', `${shell} 2>"${path}.err"; cat "${path}.err"`], { cwd: dirname(path) });
  expect(ended.toString()).toBe(`${path}: anthropic-messages, JSON, 402 messages\n`);
});
