import { copyFileSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

import { type Dialect, type Repaired, repair, rules } from '@rethread/core';
import { examplesOf } from '@rethread/core/examples';
import { describe, expect, test } from 'vitest';

import { messagesGone } from '../src/doctor/gone.ts';
import { bundleCommand, createFolder, place, run } from './command.ts';
import { lines } from './sessions.ts';

bundleCommand();
const parent = createFolder();
const dialects = [...new Set(rules().flatMap((rule) => rule.dialects))];

const text = (said: string): object[] => [{ type: 'text', text: said }];
const note = { type: 'system', subtype: 'local_command', content: '<command-name>/model</command-name>', uuid: '3' };
const chained = [
  { type: 'user', message: { role: 'user', content: 'please do the important thing' }, uuid: '1', parentUuid: null },
  { type: 'assistant', message: { role: 'assistant', content: text('done, here is everything') }, uuid: '2' },
  note,
  { ...note, uuid: '4' },
  { type: 'progress', data: { x: 1 }, uuid: '5' },
];

/** Files of other programs, cut down to their shapes, and what is said of them. */
const files: readonly (readonly [name: string, content: string, sentence: string])[] = [
  ['claude-code.jsonl', lines(chained), 'its entries wrap messages under "message"'],
  [
    'pi.jsonl',
    lines([
      { type: 'session', version: 3, id: 's', cwd: '/tmp' },
      { type: 'message', id: 'a', message: { role: 'user', content: text('read the file') } },
      { type: 'compaction', id: 'b', summary: 'The file was read.' },
    ]),
    'its entries wrap messages under "message"',
  ],
  [
    'cursor.jsonl',
    lines([
      { role: 'user', message: { content: text('explain the build') } },
      { role: 'assistant', message: { content: text('it is broken') } },
    ]),
    'its entries wrap messages under "message"',
  ],
  [
    'cline.json',
    JSON.stringify([
      { role: 'user', content: text('<task>tidy up</task>'), ts: 1_700_001_234_567 },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }],
        ts: 1_700_001_234_568,
      },
      { role: 'user', content: text("[ls for '.'] Result: all.txt"), ts: 1_700_001_234_569 },
    ]),
    'its entries keep "ts" or "modelInfo" beside each message',
  ],
  [
    'cline-of-old.json',
    JSON.stringify([
      { role: 'user', content: text('review the parser') },
      { role: 'assistant', content: text('it is fine'), modelInfo: { modelId: 'm' } },
    ]),
    'its entries keep "ts" or "modelInfo" beside each message',
  ],
  [
    'amp.json',
    JSON.stringify({
      v: 0,
      id: 'T-1',
      env: { initial: {} },
      messages: [
        { role: 'user', content: text('hello'), meta: { sentAt: 1 } },
        {
          role: 'assistant',
          content: [...text('good day'), { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }],
          meta: { sentAt: 2 },
        },
      ],
    }),
    'beside its messages it has "v", "id", "env", and its messages hold what the provider does not take',
  ],
  [
    'codex.jsonl',
    lines([
      { type: 'session_meta', payload: { id: 'x' } },
      { type: 'response_item', payload: { type: 'message', role: 'user', content: text('hi') } },
      { type: 'function_call', arguments: '{}' },
    ]),
    'its entries wrap messages under "payload"',
  ],
  [
    'copilot.jsonl',
    lines([
      { type: 'session.start', data: { id: 'x' } },
      { type: 'user.message', data: { text: 'hi there' } },
    ]),
    'its entries are events with "data"',
  ],
  [
    'fine-tuning.jsonl',
    lines([{ messages: [{ role: 'user', content: 'one' }] }, { messages: [{ role: 'user', content: 'two' }] }]),
    'its entries hold whole conversations under "messages"',
  ],
  [
    'export.jsonl',
    lines([
      { rethread: 'session', v: 1, id: 's', createdAt: '2026-01-01T00:00:00.000Z' },
      { v: 1, seq: 1, id: 'r', at: 1, kind: 'message', data: { role: 'user', content: 'hi' } },
      { rethread: 'end', records: 1, digest: 'x' },
    ]),
    'is a session that rethread has exported',
  ],
];

describe.each(files)('%s of another program', (name, content, sentence) => {
  test('is never read as a history, and never changed', async () => {
    const { path, files: left } = place(parent, name, content);
    for (const args of [
      ['--fix', path],
      ['--fix', '--model', 'claude-sonnet-4-5', path],
    ]) {
      const ended = await run(['doctor', ...args]);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).toMatch(/^rethread: [^\n]+\n$/);
      // A session of a tool that is known is told of as such.
      if (!ended.stderr.includes('is a session of')) expect(ended.stderr).toContain(sentence);
    }
    expect([left(), readFileSync(path, 'utf8')]).toEqual([[name], content]);
  });

  test('is left alone in every dialect that is named by hand', async () => {
    const { path, files: left } = place(parent, name, content);
    // The messages of one of them are nearly those of a provider, and some dialects read such blocks.
    for (const dialect of name === 'amp.json' ? ['anthropic-messages', 'openai-chat'] : dialects) {
      const ended = await run(['doctor', '--fix', '--dialect', dialect, path]);
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      const lacks = `holds no list of messages where ${dialect} has one`;
      const insisting = `--force takes it for ${dialect} all the same|${lacks}`;
      expect(ended.stderr).toMatch(new RegExp(`(is a session of .*|(${insisting}))\n$`));
    }
    expect([left(), readFileSync(path, 'utf8')]).toEqual([[name], content]);
  });
});

test('a history of which many messages cannot be read in the dialect named by hand is left alone', async () => {
  const content = lines([
    { kind: 'greeting', said: 'hello there' },
    { role: 'user', content: 'hi' },
    { kind: 'greeting', said: 'good evening' },
  ]);
  const { path, files: left } = place(parent, 'own.jsonl', content);
  const ended = await run(['doctor', '--fix', '--dialect', 'openai-chat', path]);
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('is not a history in the dialect openai-chat: 2 of its 3 messages cannot be read');
  expect([left(), readFileSync(path, 'utf8')]).toEqual([['own.jsonl'], content]);
});

test('no compaction changes such a file in its place either', async () => {
  const { path, files: left } = place(parent, 'claude-code.jsonl', lines(chained));
  const args = ['compact', '--write', '--budget', '1000', '--dialect', 'anthropic-messages', path];
  const ended = await run(args);
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('is a session of Claude Code, and cannot be changed; use --out');
  expect([left(), readFileSync(path, 'utf8')]).toEqual([['claude-code.jsonl'], lines(chained)]);
});

test('one who insists gets the file repaired, with a backup, and every word stays', async () => {
  const { path, files: left } = place(parent, 'claude-code.jsonl', lines(chained));
  const ended = await run(['doctor', '--fix', '--force', '--dialect', 'langchain', path]);
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  for (const said of ['please do the important thing', 'done, here is everything']) {
    expect(readFileSync(path, 'utf8')).toContain(said);
  }
  expect(left()).toEqual(['claude-code.jsonl', 'claude-code.jsonl.rethread-backup']);
  expect(readFileSync(`${path}.rethread-backup`, 'utf8')).toBe(lines(chained));
});

test('a document of one’s own is judged as a history, and keeps its keys', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } };
  const asked = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: null, tool_calls: [call] },
  ];
  const answered = [...asked, { role: 'tool', tool_call_id: 'c1', content: 'a' }, { role: 'assistant', content: 'A.' }];
  const document = { id: 'x', title: 'y', messages: answered };
  const { path } = place(parent, 'own.json', JSON.stringify(document));
  expect((await run(['doctor', path])).code).toBe(0);
  const broken = place(parent, 'broken.json', JSON.stringify({ ...document, messages: asked })).path;
  expect((await run(['doctor', '--fix', broken])).code).toBe(0);
  const fixed = JSON.parse(readFileSync(broken, 'utf8')) as typeof document;
  expect([fixed.id, fixed.title, fixed.messages.length]).toEqual(['x', 'y', 3]);
});

describe('words that a repair loses', () => {
  const said = { role: 'user', content: 'please do the important thing' };
  const report = {
    verdict: 'repaired',
    findings: [],
    repairs: [],
    passes: 1,
    preserved: { charactersIn: 9, charactersOut: 9, ratio: 1 },
  } as const;
  const repaired = (output: unknown, more: object = {}): Repaired<unknown> => ({
    output,
    changed: true,
    report: { ...report, ...more },
  });
  const at = { message: 1, pointer: '/1' };

  test('are noticed where no repair speaks of them', () => {
    expect(messagesGone([said, { role: 'user', content: 'hello' }], repaired([said]))).toEqual([1]);
    expect(messagesGone({ messages: [{ message: said }] }, repaired({ messages: [] }))).toEqual([0]);
  });

  test('are no matter where they are elsewhere, lifted out, or accounted for', () => {
    const input = [said, { role: 'system', content: 'be very brief' }];
    expect(messagesGone(input, repaired([said]))).toEqual([1]);
    expect(messagesGone(input, { ...repaired([said]), lifted: [input[1]] })).toEqual([]);
    expect(messagesGone(input, repaired([said, { role: 'user', content: '[system] Be very brief' }]))).toEqual([]);
    const repairs = [{ rule: 'x', at, action: 'drop', loss: 'lossy', note: '' }];
    expect(messagesGone(input, repaired([said], { repairs }))).toEqual([]);
    const preserved = { charactersIn: 42, charactersOut: 29, ratio: 0.69 };
    expect(messagesGone(input, repaired([said], { preserved }))).toEqual([]);
  });

  test.each(rules())('are none in the examples of $id', ({ id }) => {
    for (const example of examplesOf(id)) {
      if (!('before' in example)) continue;
      const { before, dialect, model, profile = {}, name } = example;
      const target = { dialect: dialect as Dialect, profile, ...(model === undefined ? {} : { model }) };
      for (const policy of ['preserve', 'discard'] as const) {
        // Values that no file can hold are no matter of the doctor for files.
        const read: unknown = JSON.parse(
          JSON.stringify(before ?? null, (_, held) => (typeof held === 'bigint' ? 0 : held)),
        );
        expect([name, policy, messagesGone(read, repair(read, target, { policy }))]).toEqual([name, policy, []]);
      }
    }
  });

  test('keep no deep value from being looked at', () => {
    let deep: unknown = 'some words of it';
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    expect(messagesGone([{ content: deep }], repaired([]))).toEqual([0]);
  });
});

const shared = process.env['RETHREAD_SHARED'];

describe.skipIf(shared === undefined)('real sessions of other programs (set RETHREAD_SHARED to run)', () => {
  const corpus = join(shared ?? '', 'corpus');
  const found = existsSync(corpus) ? readdirSync(corpus, { recursive: true, withFileTypes: true }) : [];
  const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  // Keys that a provider refuses, and of which the report speaks as lossy, are no part of what was said.
  const said = (content: string): string => content.replaceAll(/"modelInfo":\s*\{[^}]*\}|"ts":/g, '');
  const words = (content: string): Set<string> =>
    new Set(
      said(content)
        .toLowerCase()
        .match(/\p{L}{2,}/gu),
    );

  test('are there', () => expect(paths.length).toBeGreaterThan(100));

  test('lose no word of what was said to a repair', { timeout: 600_000 }, async () => {
    const repairedFiles: string[] = [];
    for (const path of paths) {
      const copy = join(place(parent, 'mark', '').path, '..', basename(path));
      copyFileSync(path, copy);
      const before = readFileSync(path);
      const looked = await run(['doctor', '--quiet', copy]);
      const fixed = await run(['doctor', '--fix', '--quiet', copy]);
      const after = readFileSync(copy);
      if (after.equals(before)) continue;
      repairedFiles.push(basename(path));
      expect([basename(path), looked.code, fixed.code]).toEqual([basename(path), 1, 0]);
      const kept = words(after.toString());
      const lost = [...words(before.toString())].filter((word) => !kept.has(word));
      expect([basename(path), lost]).toEqual([basename(path), []]);
    }
    expect(repairedFiles.length).toBeLessThan(10);
  });
});
