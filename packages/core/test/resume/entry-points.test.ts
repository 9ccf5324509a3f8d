import { describe, expect, test } from 'vitest';
import * as resume from '../../src/resume/index.ts';
import { chat, dicts, freeze, ModelMessage, objects, SPEAKERS } from '../speakers.ts';
import { empty, prompt, request, response, retry, text } from '../pydantic-wire.ts';

const {
  findDanglingToolCallIds,
  MAX_CLEANUP_ITERATIONS,
  removeConsecutiveRequests,
  removeDanglingToolCalls,
  removeEmptyResponses,
} = resume;

const { user, say, results } = dicts;

test('the entry points exist under their names', () => {
  expect(Object.keys(resume).sort()).toEqual([
    'MAX_CLEANUP_ITERATIONS',
    'dropTrailingRequest',
    'filterCompacted',
    'findDanglingToolCallIds',
    'findIncompleteToolCalls',
    'generateSummary',
    'isSummaryMessage',
    'prepareHistory',
    'pruneOldToolOutputs',
    'removeConsecutiveRequests',
    'removeDanglingToolCalls',
    'removeEmptyResponses',
    'removeIncompleteToolCalls',
    'removeOrphanedToolResults',
    'runCleanupLoop',
    'sanitizeHistoryForResume',
    'sanitizeRecoveredMessages',
    'shouldCompact',
    'splitHead',
    'stripSystemPromptParts',
    'validateMessageStructure',
  ]);
  expect(MAX_CLEANUP_ITERATIONS).toBe(10);
});

describe('findDanglingToolCallIds', () => {
  describe.for(SPEAKERS)('%s', ([, speaker]) => {
    test('names the calls without a return', () => {
      const messages = [speaker.user('read'), speaker.say('', 'a', 'b'), ...speaker.results('a')];
      expect(findDanglingToolCallIds(messages)).toEqual(new Set(['b']));
    });

    test('names none where every call has its return', () => {
      const messages = [speaker.user('read'), speaker.say('', 'a'), ...speaker.results('a'), speaker.say('Done.')];
      expect(findDanglingToolCallIds(messages)).toEqual(new Set());
    });

    test('a return under another id is not the return of a call', () => {
      const messages = [speaker.user('read'), speaker.say('', 'a'), ...speaker.results('z')];
      expect(findDanglingToolCallIds(messages)).toEqual(new Set(['a']));
    });

    test('an id that was answered before and is used again is dangling the second time', () => {
      const turn = [speaker.user('read'), speaker.say('', 'a'), ...speaker.results('a'), speaker.say('Done.')];
      expect(findDanglingToolCallIds([...turn, speaker.user('again'), speaker.say('', 'a')])).toEqual(new Set(['a']));
    });
  });

  test('a retry prompt is not a return', () => {
    expect(findDanglingToolCallIds([say('', 'a'), request(retry('a'))])).toEqual(new Set(['a']));
    const camel = { partKind: 'retry-prompt', toolName: 'read', content: 'no', toolCallId: 'a' };
    expect(findDanglingToolCallIds([say('', 'a'), request(camel)])).toEqual(new Set(['a']));
    expect(findDanglingToolCallIds([request(retry('a')), say('', 'b'), request(retry('a'), retry('b'))])).toEqual(
      new Set(['b']),
    );
    const answered = [say('', 'a'), request(retry('a')), ...results('a')];
    expect(findDanglingToolCallIds(answered)).toEqual(new Set());
  });

  test('a call that only the older list of calls shows counts', () => {
    const legacy = { ...response(text('Reading.')), tool_calls: [{ tool_name: 'read', args: {}, tool_call_id: 'a' }] };
    expect(findDanglingToolCallIds([user('read'), legacy])).toEqual(new Set(['a']));
  });

  test('what is no history has none', () => {
    for (const input of [[], [7], 'text', null]) expect(findDanglingToolCallIds(input as never)).toEqual(new Set());
  });
});

describe('removeDanglingToolCalls', () => {
  describe.for(SPEAKERS)('%s', ([, speaker]) => {
    test('removes the open call of a batch and keeps the answered one', () => {
      const messages = freeze([speaker.user('read'), speaker.say('Reading.', 'a', 'b'), ...speaker.results('a')]);
      const args = freeze({ a: { path: 'a' }, b: { path: 'b' } });
      const cleaned = removeDanglingToolCalls(messages, args);
      expect(cleaned).toEqual({
        changed: true,
        messages: [speaker.user('read'), speaker.say('Reading.', 'a'), ...speaker.results('a')],
        toolCallArgsById: { a: { path: 'a' } },
      });
      expect(cleaned.messages[0]).toBe(messages[0]);
    });

    test('an explicit set matches every occurrence of its ids, calls and returns alike', () => {
      const messages = freeze([
        speaker.user('one'),
        speaker.say('First.', 'a'),
        ...speaker.results('a'),
        speaker.say('Second.', 'a', 'b'),
        ...speaker.results('a', 'b'),
      ]);
      const cleaned = removeDanglingToolCalls(messages, { a: 1, b: 2 }, new Set(['a']));
      expect(cleaned.messages).toEqual([
        speaker.user('one'),
        speaker.say('First.'),
        speaker.say('Second.', 'b'),
        ...speaker.results('b'),
      ]);
      expect(cleaned.toolCallArgsById).toEqual({ b: 2 });
    });

    test('without anything dangling all comes back as it was given', () => {
      const messages = [speaker.user('read'), speaker.say('', 'a'), ...speaker.results('a')];
      const args = { a: 1, other: 2 };
      const cleaned = removeDanglingToolCalls(messages, args);
      expect(cleaned).toEqual({ changed: false, messages, toolCallArgsById: args });
      expect(cleaned.messages).toBe(messages);
      expect(cleaned.toolCallArgsById).toBe(args);
    });
  });

  test('tool-call, tool-return and retry-prompt with one id go together', () => {
    const messages = freeze([user('read'), say('Reading.', 'a'), request(retry('a'), retry('a'))]);
    expect(removeDanglingToolCalls(messages).messages).toEqual([user('read'), say('Reading.')]);
    const mixed = [
      say('', 'a'),
      request(retry('a', { tool_name: null }), retry('b'), { part_kind: 'note', toolCallId: 'a' }),
    ];
    expect(removeDanglingToolCalls(mixed, {}, ['a']).messages).toEqual([request(retry('b'))]);
  });

  test('an id that still names an answered call keeps its arguments', () => {
    const messages = [say('', 'a'), ...results('a'), say('', 'a')];
    const cleaned = removeDanglingToolCalls(messages, { a: 1 });
    expect(cleaned.messages).toEqual([say('', 'a'), ...results('a')]);
    expect(cleaned.toolCallArgsById).toEqual({ a: 1 });
  });

  test('arguments of a call that is in no message are forgotten when its id is given', () => {
    const messages = [user('hi')];
    const cleaned = removeDanglingToolCalls(messages, { gone: 1 }, ['gone']);
    expect(cleaned).toEqual({ changed: true, messages, toolCallArgsById: {} });
  });

  test('objects keep their class, and what was not touched its identity', () => {
    const messages = [objects.user('read'), objects.say('Reading.', 'a')];
    const { messages: cleaned } = removeDanglingToolCalls(messages);
    expect(cleaned[1]).toBeInstanceOf(ModelMessage);
    expect(cleaned[1]).toEqual(objects.say('Reading.'));
    expect((cleaned[1] as ModelMessage).parts[0]).toBe((messages[1] as ModelMessage).parts[0]);
  });

  test('an entry of the older list of calls goes with its part', () => {
    const { parts } = say('Reading.', 'a') as { parts: object[] };
    const messages = [{ kind: 'response', parts, tool_calls: [{ ...parts[1] }] }];
    expect(removeDanglingToolCalls(messages).messages).toEqual([{ ...response(text('Reading.')), tool_calls: [] }]);
  });
});

describe('removeEmptyResponses', () => {
  test('removes responses without parts and nothing else', () => {
    const messages = freeze([user('one'), empty, user('two'), response(text('')), empty]);
    const cleaned = removeEmptyResponses(messages);
    expect(cleaned).toEqual({ changed: true, messages: [user('one'), user('two'), response(text(''))] });
    expect(messages).toHaveLength(5);
  });

  test('an empty request is no response, and a response with calls is not empty', () => {
    const messages = [request(), { ...empty, tool_calls: [{ tool_name: 'read', tool_call_id: 'a' }] }];
    expect(removeEmptyResponses(messages).messages).toBe(messages);
  });

  test('the other dialects have empty responses too', () => {
    const answer = { role: 'assistant', content: '' };
    expect(removeEmptyResponses([chat.user('hi'), answer, chat.results('a')[0]]).messages).toHaveLength(2);
    const parts = { role: 'assistant', content: [] };
    expect(
      removeEmptyResponses([{ role: 'user', content: [{ type: 'text', text: 'hi' }] }, parts]).messages,
    ).toHaveLength(1);
  });
});

describe('removeConsecutiveRequests', () => {
  describe.for(SPEAKERS)('%s', ([, speaker]) => {
    test('keeps the last request of a run', () => {
      const messages = freeze([speaker.user('one'), speaker.user('two'), speaker.user('three'), speaker.say('Three.')]);
      const { changed, messages: cleaned } = removeConsecutiveRequests(messages);
      expect(changed).toBe(true);
      expect(cleaned).toEqual([speaker.user('three'), speaker.say('Three.')]);
      expect(cleaned[0]).toBe(messages[2]);
    });

    test('never drops a request that carries results', () => {
      const messages = [speaker.user('read'), speaker.say('', 'a'), ...speaker.results('a'), speaker.user('and?')];
      expect(removeConsecutiveRequests(messages).messages).toBe(messages);
    });
  });

  test('a system prompt moves to the request that stays', () => {
    const system = { part_kind: 'system-prompt', content: 'Be brief.' };
    const messages = [request(system, prompt('one')), user('two'), ...results('a'), user('three')];
    expect(removeConsecutiveRequests(messages).messages).toEqual([
      request(system, ...(results('a')[0] as { parts: object[] }).parts),
      user('three'),
    ]);
  });

  test('a system message between two requests does not part them', () => {
    const messages = [chat.user('one'), chat.system('Be brief.'), chat.user('two')];
    expect(removeConsecutiveRequests(messages).messages).toEqual([chat.system('Be brief.'), chat.user('two')]);
    const last = [chat.user('one'), chat.user('two'), chat.system('Be brief.')];
    expect(removeConsecutiveRequests(last).messages).toEqual([chat.user('two'), chat.system('Be brief.')]);
  });
});
