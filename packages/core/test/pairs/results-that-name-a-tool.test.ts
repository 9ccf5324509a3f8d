import { expect, test } from 'vitest';
import { decode, repair, RESULT_TEXTS, type Dialect } from '../../src/index.ts';
import { WRITTEN, type Writer } from '../conversation.ts';
import { aiSdkModel, chat, gemini, pydantic } from '../words.ts';

const user = (content: string): object => ({ role: 'user', content });
const call = (id: string, name: string): object => chat.call(id, name);
const calls = (...tool_calls: object[]): object => ({ role: 'assistant', content: '', tool_calls });
const result = (tool_call_id: string, content: string, name?: string): object => ({
  role: 'tool',
  tool_call_id,
  ...(name === undefined ? {} : { name }),
  content,
});
const CHATS = ['openai-chat', 'mistral-chat'] as const;
/** Nine letters or digits, as one of the two wants its ids. */
const [ONE, TWO, LOST, STRAY] = ['call00001', 'call00002', 'zzzz00001', 'zzzz00002'];

const actions = (history: unknown[], dialect: Dialect): string[] =>
  repair(history, dialect).report.repairs.map(({ rule, action }) => `${rule} ${action}`);

test.each(CHATS)('%s: a lost result that names another tool is not taken for that of the open call', (dialect) => {
  const history = [user('go'), calls(call(ONE, 'delete')), result(LOST, 'file body', 'read')];
  const { output, report } = repair<unknown[]>(history, dialect);
  expect(output[2]).toEqual(chat.result(ONE, RESULT_TEXTS.unknown));
  expect(output).toContainEqual(user('[tool output] file body'));
  expect(report.repairs.map(({ rule }) => rule)).toContain('result-misnamed');
});

test.each(CHATS)('%s: two lost results in another order than their calls are not crossed', (dialect) => {
  const asked = calls(call(ONE, 'read'), call(TWO, 'write'));
  const history = [user('go'), asked, result(LOST, 'wrote', 'write'), result(STRAY, 'body', 'read')];
  expect(actions(history, dialect).slice(0, 4)).toEqual([
    'result-misnamed demote',
    'result-misnamed demote',
    'call-without-result synthesize',
    'call-without-result synthesize',
  ]);
});

test.each(CHATS)('%s: a lost result that names the tool of the call, however it is spelt, is its result', (dialect) => {
  for (const name of ['fs.read', 'fs_read', undefined]) {
    const history = [user('go'), calls(call(ONE, 'fs.read')), result(LOST, 'body', name)];
    expect(actions(history, dialect)).toContain('result-misnamed relink');
  }
});

test.each(CHATS)('%s: a call that has lost its name may be that of any result', (dialect) => {
  const history = [user('go'), calls(call(ONE, '')), result(LOST, 'body', 'read')];
  expect(actions(history, dialect)).toContain('result-misnamed relink');
});

/** The dialects whose results can name a tool. */
const naming = WRITTEN.filter(([dialect]) => !/anthropic|bedrock|gemini|responses/.test(dialect));

/** A step of calls under one id, and results under that id, each as the name of its tool. */
const sameIds = (writer: Writer, tools: readonly string[], results: readonly (string | undefined)[]): unknown[] => [
  writer.user('go'),
  ...writer.calls(...tools.map((tool) => ({ id: ONE, tool }))),
  ...writer.results(...results.map((tool) => ({ id: ONE, text: `body of ${String(tool)}`, ...(tool && { tool }) }))),
];

/** Each call of the output by its tool, with the texts under its id, and whatever is quoted. */
function pairsIn(history: unknown[], dialect: Dialect): string[] {
  const { output, report } = repair<unknown[]>(history, dialect);
  expect(report.verdict).not.toBe('broken');
  const parts = (decode(output, dialect)?.messages ?? []).flatMap((message) => message.parts);
  const results = parts.filter((part) => part.kind === 'result');
  return parts.flatMap((part) => {
    if (part.kind === 'text' && part.text.startsWith('[tool output')) return part.text;
    if (part.kind !== 'call') return [];
    const own = results.filter(({ callId }) => callId === part.callId).map(({ text }) => text);
    return `${part.tool}: ${own.join(' + ').replaceAll(RESULT_TEXTS.unknown, 'unknown')}`;
  });
}

test.each(naming)('%s: of calls that share an id, the one whose tool a result names is answered', (dialect, writer) => {
  const pairs = (tools: string[], results: (string | undefined)[]): string[] =>
    pairsIn(sameIds(writer, tools, results), dialect);
  expect(pairs(['read', 'write'], ['write'])).toEqual(['read: unknown', 'write: body of write']);
  expect(pairs(['read', 'write'], ['write', 'read'])).toEqual(['read: body of read', 'write: body of write']);
  expect(pairs(['read', 'write', 'read'], ['write', 'read', 'read'])).toEqual([
    'read: body of read',
    'write: body of write',
    'read: body of read',
  ]);
  expect(pairs(['read', 'write'], ['write', 'write'])).toEqual(['read: unknown', 'write: body of write']);
  expect(pairs(['read', 'write'], ['read', 'read', 'write'])).toEqual(['read: body of read', 'write: body of write']);
  expect(pairs(['read', 'write'], ['other', 'write'])).toEqual(['read: body of other', 'write: body of write']);
  expect(pairs(['read', 'write'], ['read', 'write', 'other']).slice(1)).toContain('write: body of write');
  expect(pairs(['read', ''], ['write']).at(-1)).toMatch(/^(unknown_tool)?: body of write$/);
});

test.each<[Dialect, unknown[]]>([
  [
    'ai-sdk-model',
    [
      chat.user('go'),
      aiSdkModel.say(aiSdkModel.call('c1')),
      aiSdkModel.results({ type: 'tool-result', toolCallId: 'zz', output: { type: 'text', value: 'A' } }),
    ],
  ],
  [
    'pydantic-ai',
    [
      pydantic.user('go'),
      pydantic.say(pydantic.call('c1')),
      pydantic.user({ part_kind: 'tool-return', content: 'A', tool_call_id: 'zz' }),
    ],
  ],
  [
    'gemini',
    [
      gemini.user('go'),
      gemini.say(gemini.signed(gemini.call('read', {}, 'c1'), 'AAAA')),
      gemini.user({ functionResponse: { id: 'zz', response: { result: 'A' } } }),
    ],
  ],
])('%s: a lost result that names no tool is joined to the open call, and named as that is', (dialect, history) => {
  const { output } = repair<unknown[]>(history, dialect);
  const parts = (decode(output, dialect)?.messages ?? []).flatMap((message) => message.parts);
  expect(parts.filter(({ kind }) => kind === 'result')).toMatchObject([{ callId: 'c1', tool: 'read', outcome: 'ok' }]);
});
