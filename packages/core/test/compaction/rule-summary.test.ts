import { describe, expect, test } from 'vitest';
import { filesOf } from '../../src/compaction/call-files.ts';
import { clip, clipLine, closedRuns, messageText } from '../../src/compaction/history-text.ts';
import { ruleSummary } from '../../src/compaction/rule-summary.ts';
import { readSections, writeSections } from '../../src/compaction/summary-sections.ts';
import { bareSummary, complaintOf, isOverflow } from '../../src/compaction/summary-check.ts';
import { SUMMARY_HEADING } from '../../src/model/summary-message.ts';
import { summaryText } from '../../src/compaction/summary-message.ts';
import { generateSummary, type Message } from '../../src/index.ts';
import { assistant, call, result, text, user } from '../anthropic-wire.ts';
import { count, messagesOf, read, session } from '../summary-session.ts';

describe('a summary by rules', () => {
  const of = (list: readonly unknown[], more: object = {}): string =>
    ruleSummary({ messages: messagesOf(list), count, maxTokens: 4000, ...more });

  test('is made from the history alone, and is the same every time', async () => {
    const { content } = await generateSummary(session);
    expect(content).toBe(
      [
        '## Goal',
        '- Fix the parser. Never touch the lexer.',
        '- Go on.',
        '## Constraints',
        '- Never touch the lexer.',
        '## Decisions',
        '- none recorded',
        '## Work done',
        '- called read_file 3 times',
        '- called edit_file 1 time, 1 of them failed',
        '## Files read',
        '- src/parser.ts',
        '- src/lexer.ts',
        '- test/parser.test.ts',
        '## Files changed',
        '- src/parser.ts',
        '## Open tasks',
        '- the call c4 to read_file has no result yet',
        '## Next step',
        '- the last answer was: The edit failed; I try another way.',
      ].join('\n'),
    );
    expect((await generateSummary(session)).content).toBe(content);
  });

  test('goes on from the summary before it', () => {
    const before = of(session);
    const after = of([user('Now the docs.'), assistant([read('c5', 'README.md')])], { previous: before });
    expect(readSections(after)).toEqual({
      Goal: ['Fix the parser. Never touch the lexer.', 'Now the docs.'],
      Constraints: ['Never touch the lexer.'],
      Decisions: [],
      'Work done': ['called read_file 4 times', 'called edit_file 1 time, 1 of them failed'],
      'Files read': ['src/parser.ts', 'src/lexer.ts', 'test/parser.test.ts', 'README.md'],
      'Files changed': ['src/parser.ts'],
      'Open tasks': ['the call c5 to read_file has no result yet'],
      'Next step': ['the last answer was: The edit failed; I try another way.'],
    });
    expect(of([], { previous: before })).toContain('- Go on.');
  });

  test('adds up what the summaries before it have counted, and leaves what they told in other words', () => {
    const failed = [assistant([call('c1')]), user([{ ...result('c1'), is_error: true }])];
    const told = [1, 2, 3].reduce<string>(
      (previous, n) => of(failed, { previous, unread: n }),
      '## Work done\n- called the office 2 times, in vain\n- called ls 7 times',
    );
    expect(readSections(told)['Work done']).toEqual([
      'called the office 2 times, in vain',
      '6 earlier messages were left out and not looked at',
      'called ls 10 times, 3 of them failed',
    ]);
  });

  test('says how many messages nobody looked at, and keeps the first instruction', () => {
    const first = messagesOf(session)[0];
    const told = of([assistant('Done.')], { first, unread: 9 });
    expect(told).toContain('- 9 earlier messages were left out and not looked at');
    expect(told).toContain('- Fix the parser.');
  });

  test('becomes shorter as the room does, down to the goal and to nothing', () => {
    const sizes = [4000, 120, 60, 20, 8, 1].map((maxTokens) => of(session, { maxTokens }));
    expect(sizes.map((told, n) => count(told) <= ([4000, 120, 60, 20, 8, 3][n] ?? 0))).toEqual(Array(6).fill(true));
    expect(sizes[3]).toMatch(/^## Goal\n- Fix the parser/);
    expect(sizes[5]).toBe('(left out)');
    expect(of([], { maxTokens: 20 })).toBe('(left out)');
  });

  test('counts the failure of a call that is not in the list', () => {
    const orphan = {
      role: 'tool',
      parts: [{ kind: 'result', callId: 'x', outcome: 'error', text: '', server: false }],
    };
    const told = ruleSummary({ messages: [orphan as unknown as Message], count, maxTokens: 999 });
    expect(told).toContain('- called unknown 0 times, 1 of them failed');
  });
});

test.each([
  ['a path', 'read', { path: ' a.ts ', limit: 3 }, { names: ['a.ts'], changed: false }],
  [
    'several',
    'read',
    { paths: ['a', { path: 'b' }, { file_path: 'c' }, 7] },
    { names: ['a', 'b', 'c'], changed: false },
  ],
  ['arguments as text', 'read', '{"file":"a"}', { names: ['a'], changed: false }],
  ['arguments that are no object', 'read', '[1]', { names: [], changed: false }],
  ['arguments that do not parse', 'read', '{"file":', { names: [], changed: false }],
  ['arguments that are a list in braces', 'read', ' {', { names: [], changed: false }],
  ['nothing', 'read', undefined, { names: [], changed: false }],
  ['a text that is no name', 'read', { path: 'a\nb', file: 'x'.repeat(400) }, { names: [], changed: false }],
  ['a tool that writes', 'write_file', { path: 'a' }, { names: ['a'], changed: true }],
  ['a tool that is given contents', 'put', { path: 'a', content: 'x' }, { names: ['a'], changed: true }],
  ['a search for contents', 'grep', { path: 'a', content: 'x' }, { names: ['a'], changed: false }],
  ['too many', 'read', { files: Array(50).fill('a'), path: 'b' }, { names: Array(20).fill('a'), changed: false }],
])('the files of a call: %s', (...[, tool, input, expected]) => {
  expect(filesOf({ kind: 'call', callId: 'c', tool, input, server: false, characters: 0 })).toEqual(expected);
});

test.each([
  ['## Goal\n- to say Error: is fine', undefined],
  ['A short summary of what was done.', undefined],
  ['', 'empty'],
  ['<think>What do they want?</think>\n', 'empty'],
  ['## Goal\n\n## Next step\n', 'empty'],
  ['## Goal\n- none recorded\n## Decisions\n- none recorded', 'empty'],
  ['<html><head><title>502 Bad Gateway</title></head></html>', 'error-text'],
  ['<!DOCTYPE html>\n<html lang="en">', 'error-text'],
  ['Error: overloaded', 'error-text'],
  ['API error 529', 'error-text'],
  ['429 Too Many Requests', 'error-text'],
  ['{"type":"error","error":{}}', 'error-text'],
  ['I cannot help with that.', 'refusal'],
  ['Sorry, no.', 'refusal'],
  ['<tool_call>{"name":"x"}</tool_call>', 'tool-call'],
  ['[{"type":"tool_use","id":"a"}]', 'tool-call'],
  ['```json\n{"name":"read","arguments":{}}\n```', 'tool-call'],
  ['{"tool_calls":[]}', 'tool-call'],
  ['{"name":"read","input":{}}', 'tool-call'],
  ['{"name":"read","parameters":{}}', 'tool-call'],
  ['{"name":"only a name"}', undefined],
  ['{"goal":"fix it"}', undefined],
  ['[1, 2]', undefined],
  ['{not json', undefined],
])('the answer %j is complained of as %s', (answer, code) => {
  expect(complaintOf(answer)?.code).toBe(code);
});

test.each([
  ['```markdown\n## Goal\n- a\n```', '## Goal\n- a'],
  ['<summary>\n## Goal\n- a\n</summary>', '## Goal\n- a'],
  ['<thinking>\nHm.\n</thinking>\n\n## Goal\n- a', '## Goal\n- a'],
  [`${SUMMARY_HEADING}\n\n## Goal`, '## Goal'],
  [summaryText({ content: '## Goal\n- a', sourceRange: { from: 0, to: 4 } }), '## Goal\n- a'],
  ['\uD800 plain ', '\uFFFD plain'],
])('%j is the summary %j', (answer, bare) => {
  expect(bareSummary(answer)).toBe(bare);
});

test.each([
  [{ overflow: true }, true],
  [{ overflow: false, message: 'prompt is too long' }, false],
  [{ status: 413 }, true],
  [{ status: 429, message: 'too many tokens per minute' }, false],
  [new Error('prompt is too long: 300000 tokens > 200000 maximum'), true],
  [new Error("This model's maximum context length is 8192 tokens."), true],
  [new Error('The input token count exceeds the maximum number of tokens allowed'), true],
  [new Error('socket hang up'), false],
  ['context window exceeded', true],
  [undefined, false],
  [{ message: 7 }, false],
])('%o is an overflow: %s', (error, expected) => {
  expect(isOverflow(error)).toBe(expected);
});

test('sections that a model wrote are read whatever their marks are, and what has no heading is work done', () => {
  const told = 'It went well.\n# goal:\n* one\n- two\n### Next Step **\nthree\n## Else\nfour';
  expect(readSections(told)).toMatchObject({
    Goal: ['one', 'two'],
    'Work done': ['It went well.'],
    'Next step': ['three', '## Else', 'four'],
  });
  expect(readSections('## Files read\n- a.ts\n- (20 more left out)')['Files read']).toEqual(['a.ts']);
  expect(readSections(writeSections(readSections('')))).toEqual(readSections(''));
});

test('a message is told as text, part by part', () => {
  const parts = [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    text('Look.'),
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    { type: 'hologram', x: 'abc' },
    call('c1', 'ls'),
  ];
  const [message] = messagesOf([assistant(parts)]);
  expect(message && messageText(message)).toBe(
    [
      '[0] assistant:',
      'Look.',
      '(media, 19 characters)',
      '(something that cannot be told as text, 11 characters)',
      'called the tool ls with {}',
    ].join('\n'),
  );
  const named = { kind: 'result', callId: 'c', tool: 'ls', outcome: 'ok', text: '3 files', server: false } as const;
  expect(messageText({ role: 'tool', parts: [{ ...named, characters: 7 }], at: 4 })).toBe(
    '[4] tool:\nthe tool ls returned: 3 files',
  );
});

test('runs of messages keep a call with its results, also where an id is used twice in a batch', () => {
  const runs = closedRuns(messagesOf([...session, user('stop')])).map((run) => run.map(({ at }) => at));
  expect(runs).toEqual([[0], [1, 2], [3, 4], [5], [6], [7, 8]]);
  const twice = [assistant([call('c'), call('c')]), user([result('c')]), user([result('c')]), user([result('d')])];
  expect(closedRuns(messagesOf(twice)).map((run) => run.length)).toEqual([3, 1]);
});

test('a text that is too long keeps its beginning and its end', () => {
  expect(clip('abcdefgh', 8)).toBe('abcdefgh');
  expect(clip('abcdefghij', 4)).toBe('abc[… 6 characters left out …]j');
  expect(clip('abcdefghij', 1)).toBe('a[… 9 characters left out …]');
  expect(clipLine('  a\n b ', 9)).toBe('a b');
  expect(clipLine('abcdef', 4)).toBe('abc…');
});
