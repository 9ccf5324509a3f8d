import { describe, expect, test } from 'vitest';
import { check, detectDialect, repair } from '../../src/index.ts';
import { anthropic, responses } from '../words.ts';

const { call, result, say, user } = anthropic;

const text = (said: string): object[] => [{ type: 'text', text: said }];
const wrapped = (type: string, uuid: string): object => ({
  type,
  message: { role: type, content: text(`${uuid} says something`) },
  uuid,
});
const notes = [
  { type: 'system', subtype: 'local_command', content: '<command-name>/model</command-name>', uuid: '3' },
  { type: 'system', subtype: 'local_command', content: '<command-name>/cost</command-name>', uuid: '4' },
  { type: 'progress', data: { x: 1 }, uuid: '5' },
];

/** Session files of other programs, cut down to their shapes. */
const files: Readonly<Record<string, unknown>> = {
  'messages wrapped into records, beside a note of the program': [
    wrapped('user', '1'),
    wrapped('assistant', '2'),
    ...notes,
  ],
  'mostly notes of the program': [
    notes[0],
    { type: 'file-history-snapshot', messageId: 'a', snapshot: {} },
    { type: 'progress', data: {} },
    wrapped('user', '1'),
  ],
  'messages wrapped under the type message, and summaries': [
    { type: 'session', version: 3, id: 's', cwd: '/tmp' },
    { type: 'message', id: 'a', message: { role: 'user', content: text('hi') } },
    { type: 'message', id: 'b', message: { role: 'assistant', content: text('hello') } },
    { type: 'compaction', id: 'c', summary: 'They greeted one another.' },
  ],
  'a role outside and the content inside': [
    { role: 'user', message: { content: text('hi') } },
    { role: 'assistant', message: { content: text('hello') } },
  ],
  payloads: [
    { type: 'session_meta', payload: { id: 'x' } },
    { type: 'response_item', payload: { type: 'message', role: 'user', content: text('hi') } },
    { type: 'function_call', arguments: '{}' },
  ],
  'many conversations, one in each line': [{ messages: [user('a')] }, { messages: [user('b')] }],
};

describe.each(Object.entries(files))('%s', (_, value) => {
  test('is in no dialect, whatever model it is for', () => {
    for (const model of [undefined, 'claude-sonnet-4-5', 'gpt-5']) expect(detectDialect(value, model)).toBeUndefined();
  });

  test('comes back untouched', () => {
    expect(check(value).verdict).toBe('broken');
    expect(repair(value).output).toBe(value);
  });
});

test('a few strange entries among many messages contradict nothing', () => {
  const turn = [user('go'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))];
  expect(detectDialect([...turn, wrapped('user', '1')])).toBe('anthropic-messages');
  expect(detectDialect([...notes.slice(2), ...turn, null, 7, 'x'])).toBe('anthropic-messages');
});

test('items of types that nobody knows yet, and messages with keys of a store, are no contradiction', () => {
  const items = [
    responses.call('c', 'ls'),
    { type: 'from_the_future', weather: 'fine' },
    { type: 'from_the_future', weather: 'fine' },
  ];
  expect(detectDialect(items)).toBe('openai-responses');
  expect(detectDialect([{ role: 'user', content: 'hi', uuid: '1', message: { note: 'x' } }])).toBe('openai-chat');
  const calls = { role: 'assistant', tool_calls: [{ id: 'c' }], message: 'from a store' };
  expect(detectDialect([calls])).toBe('openai-chat');
});
