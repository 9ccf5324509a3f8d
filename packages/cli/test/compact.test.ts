import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { check, isSummaryMessage } from '@rethread/core';
import { expect, test } from 'vitest';

import { type Ended, type RunOptions, bundleCommand, createFolder, place, start } from './command.ts';
import { broken, lines } from './sessions.ts';

bundleCommand();
const folder = createFolder();

const turn = (n: number): object[] => [
  { role: 'user', content: `Read file ${n}.` },
  { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { path: `${n}.txt` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: 'words '.repeat(400) }] },
  { role: 'assistant', content: `File ${n} is full of words.` },
];
const session = [1, 2, 3, 4, 5, 6].flatMap(turn);
const budget = ['--budget', '1200'];
const noKeys = {
  RETHREAD_MODEL: '',
  ANTHROPIC_API_KEY: '',
  ANTHROPIC_AUTH_TOKEN: '',
  ANTHROPIC_BASE_URL: '',
  OPENAI_API_KEY: '',
  OPENAI_BASE_URL: '',
};

/** No key of whoever runs the tests is used for them. */
const run = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  start(args, { ...options, env: { ...noKeys, ...options.env } }).ended;

test('a file is compacted in its place, and doctor --undo puts the original back', async () => {
  const before = lines(session);
  const { path, files } = place(folder, 'session.jsonl', before);
  const ended = await run(['compact', path, ...budget, '--write']);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout).toContain('made by rules, without a model');
  const messages = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(messages.slice(-4)).toEqual(turn(6).map((message) => JSON.stringify(message)));
  const value = messages.map((line) => JSON.parse(line) as unknown);
  expect([isSummaryMessage(value[0]), check(value).verdict]).toEqual([true, 'clean']);
  expect(files()).toEqual(['session.jsonl', 'session.jsonl.rethread-backup']);
  expect((await run(['doctor', '--undo', path])).code).toBe(0);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

test('nothing is written unless that is asked for', async () => {
  const before = JSON.stringify(session, null, 2);
  const { path, files } = place(folder, 'session.json', before);
  const ended = await run(['compact', path, ...budget]);
  expect(ended.code).toBe(0);
  expect(ended.stdout).toMatch(/rule-summary +done/);
  expect(ended.stdout).toContain(
    'Nothing was written: --write compacts the file in place, and --out <file> writes a new one.',
  );
  expect([readFileSync(path, 'utf8'), files()]).toEqual([before, ['session.json']]);
});

test('with --out the original stays, and a file that is there is never written over', async () => {
  const body = { model: 'claude-sonnet-4-5', max_tokens: 10, messages: [...session, { role: 'user', content: 'On.' }] };
  const { path } = place(folder, 'body.json', JSON.stringify(body));
  const out = join(dirname(path), 'short.json');
  expect((await run(['compact', path, ...budget, '--out', out])).code).toBe(0);
  const written = JSON.parse(readFileSync(out, 'utf8')) as typeof body;
  expect([Object.keys(written), written.model]).toEqual([Object.keys(body), body.model]);
  expect(written.messages.at(-1)).toEqual({ role: 'user', content: 'On.' });
  expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(body));
  const again = await run(['compact', path, ...budget, '--out', out]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
});

test('a list that goes to a file of lines has one message in each', async () => {
  const { path } = place(folder, 'session.jsonl', lines(session));
  const out = join(dirname(path), 'short.jsonl');
  const ended = await run(['compact', path, ...budget, '--out', out]);
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining(`Written to ${out}.`)]);
  const written = readFileSync(out, 'utf8');
  expect(written.endsWith(lines(turn(6)))).toBe(true);
  expect((await run(['turns', out, '--json'])).code).toBe(0);
});

test('an empty list is short enough in every dialect', async () => {
  const { path, files } = place(folder, 'empty.json', '[]');
  const ended = await run(['compact', path]);
  expect([ended.code, ended.stderr, files()]).toEqual([0, '', ['empty.json']]);
  expect(ended.stdout).toContain('0 messages');
});

test('what is short enough is written all the same where a file is named, and that is told', async () => {
  const { path } = place(folder, 'session.json', JSON.stringify(session));
  const out = join(dirname(path), 'same.json');
  const ended = await run(['compact', path, '--out', out]);
  expect(ended.stdout).toContain(`Nothing was changed. Written to ${out}.`);
  expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(session);
});

test('--json prints the report and the summary for machines', async () => {
  const { path } = place(folder, 'session.jsonl', lines(session));
  const ended = await run(['compact', path, '--budget', '150', '--json', '--dry-run', '--keep', '2']);
  const told = JSON.parse(ended.stdout) as { report: { met: boolean }; summary: { content: string }; schema: string };
  expect([ended.code, told.schema, told.report.met]).toEqual([1, 'rethread/compact@1', false]);
  expect(told.summary.content).toContain('Read file 1.');
});

test('what is short enough is not touched', async () => {
  const { path, files } = place(folder, 'session.jsonl', lines(session));
  const ended = await run(['compact', path, '--write']);
  expect([ended.code, ended.stderr, files()]).toEqual([0, '', ['session.jsonl']]);
  expect(ended.stdout).toContain('Nothing was changed.');
});

test('a key without the package of its provider changes nothing but the reason', async () => {
  const { path } = place(folder, 'session.jsonl', lines(session));
  const flags = ['--write', '--ask-model'];
  const ended = await run(['compact', path, ...budget, ...flags], { env: { OPENAI_API_KEY: 'none' } });
  expect([ended.code, ended.stderr]).toEqual([
    0,
    expect.stringContaining('made by rules: openai/gpt-5 needs the package'),
  ]);
});

test('standard input can be looked at and saved, and not changed in its place', async () => {
  const input = lines(session);
  expect((await run(['compact', '-', ...budget, '--dry-run'], { input })).code).toBe(0);
  const ended = await run(['compact', '-', ...budget, '--write'], { input });
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining('cannot be changed; use --out')]);
});

test('a history that was broken before is compacted all the same', async () => {
  const { path } = place(folder, 'broken.jsonl', lines([...session, ...broken]));
  expect((await run(['compact', path, ...budget])).code).toBe(0);
});

test.each([
  ['a budget that is none', ['--budget', 'much'], 'whole number'],
  ['turns that are none', ['--keep', 'all'], 'whole number'],
  ['a file with half a line', [], 'cannot be read whole'],
  ['a file in no dialect', [], 'name it with --dialect'],
])('%s is refused in one sentence', async (name, flags, words) => {
  const content = name.includes('half') ? `${lines(session)}{"role":` : '[{"hello":1}]';
  const { path } = place(
    folder,
    'odd',
    name.includes('no dialect') || name.includes('half') ? content : lines(session),
  );
  const ended = await run(['compact', path, ...flags]);
  expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(words)]);
});
