import { describe, expect, test } from 'vitest';
import { repair } from '../../src/index.ts';
import {
  dropTrailingRequest,
  removeDanglingToolCalls,
  removeEmptyResponses,
  runCleanupLoop,
  splitHead,
} from '../../src/resume/index.ts';
import { prompt, request, response, text } from '../pydantic-wire.ts';

type Wire = Readonly<Record<string, unknown>>;

const call = (id: string): Wire => ({ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: id });
const answer = (kind: 'tool-return' | 'retry-prompt', id: string): Wire => ({
  part_kind: kind,
  tool_name: 'read',
  content: 'A',
  tool_call_id: id,
});

describe('splitHead', () => {
  const history = ['a', 'b', 'c'].flatMap((words) => [request(prompt(words)), response(text(words))]);

  test.each([
    [2, 4],
    [{ minKeepTail: 2 }, 4],
    [0, 6],
    [99, 0],
    [undefined, 2],
    [{}, 2],
  ])('given %j divides six messages after %i', (chosen, length) => {
    const { head, tail } = splitHead(history, chosen);
    expect([head, tail]).toEqual([history.slice(0, length), history.slice(length)]);
  });

  test('needs no second argument', () => {
    expect(splitHead(history).head).toHaveLength(2);
  });
});

describe('an empty response', () => {
  test.each([{ kind: 'response', parts: null }, { kind: 'response' }, { kind: 'response', parts: [] }])(
    'is removed however its parts are missing: %j',
    (empty) => {
      const messages = [request(prompt('a')), response(text('A')), empty];
      expect(removeEmptyResponses(messages)).toEqual({ changed: true, messages: messages.slice(0, 2) });
      expect(runCleanupLoop(messages).messages).toEqual(messages.slice(0, 2));
    },
  );

  test.each([
    { kind: 'response', parts: null, tool_calls: [{ tool_call_id: 'c1', tool_name: 'read', args: {} }] },
    { kind: 'response', parts: 'half' },
    { kind: 'response', parts: null, raw_content: [{ type: 'thinking', thinking: 'so' }] },
    { kind: 'request', parts: null },
    null,
  ])('is none where something else is in it: %j', (message) => {
    const messages = [request(prompt('a')), response(text('A')), message];
    expect(removeEmptyResponses(messages).messages).toBe(messages);
  });
});

describe('arguments by call id', () => {
  const messages = [request(prompt('a')), response(text('Reading.'), call('c1'))];

  test('are forgotten in a map as in an object, in a new one', () => {
    const args = new Map([
      ['c1', { path: 'a' }],
      ['c2', { path: 'b' }],
    ]);
    const left = new Map([['c2', { path: 'b' }]]);
    expect(runCleanupLoop(messages, args).toolCallArgsById).toEqual(left);
    expect(removeDanglingToolCalls(messages, args).toolCallArgsById).toEqual(left);
    expect(args.size).toBe(2);
    expect(runCleanupLoop(messages, { c1: 1, c2: 2 }).toolCallArgsById).toEqual({ c2: 2 });
  });

  test('stay the same map where no call is gone', () => {
    const args = new Map([['c9', 1]]);
    expect(runCleanupLoop(messages, args).toolCallArgsById).toBe(args);
  });
});

describe('a retry prompt at the end', () => {
  test('is no result: it goes with its call before a new user message', () => {
    const messages = [
      request(prompt('a')),
      response(text('Reading.'), call('c1')),
      request(answer('retry-prompt', 'c1')),
    ];
    const { changed, messages: left } = dropTrailingRequest(messages);
    expect([changed, left]).toEqual([true, [request(prompt('a')), response(text('Reading.'))]]);
  });

  test('stays beside a return', () => {
    const batch = request(answer('retry-prompt', 'c1'), answer('tool-return', 'c2'));
    const messages = [request(prompt('a')), response(call('c1'), call('c2')), batch];
    expect(dropTrailingRequest(messages)).toEqual({ changed: false, messages });
  });

  test('earlier in the history is let be where nothing at the end goes', () => {
    const messages = [
      request(prompt('a')),
      response(call('c1')),
      request(answer('retry-prompt', 'c1')),
      response(text('I see.')),
    ];
    expect(dropTrailingRequest(messages).messages).toBe(messages);
  });
});

test('a call that the discard policy removes does not live on in what the provider sent', () => {
  const thought = { type: 'thinking', thinking: 'so' };
  const calling = {
    role: 'assistant',
    content: 'Reading.',
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    raw_content: [thought, { type: 'tool_use', id: 'c1', name: 'read', input: {} }],
  };
  const history = [{ role: 'user', content: 'a' }, calling, { role: 'user', content: 'b' }];
  const { output } = repair<Wire[]>(history, 'openai-chat', { policy: 'discard' });
  expect(output[1]).toEqual({ role: 'assistant', content: 'Reading.', raw_content: [thought] });
  expect(repair<Wire[]>(history, 'openai-chat').output[1]).toBe(calling);
});
