import { describe, expect, test } from 'vitest';
import * as resume from '../../src/resume/index.ts';
import { RESULT_TEXTS } from '../../src/index.ts';
import { empty, prompt, request, response, retry, text } from '../pydantic-wire.ts';
import { chat, dicts, freeze, ModelMessage, objects, SPEAKERS, type Speaker } from '../speakers.ts';

const { dropTrailingRequest, findDanglingToolCallIds, removeDanglingToolCalls, runCleanupLoop } = resume;
const { user, say, results } = dicts;

type List = readonly unknown[];
/** What a function makes of a list; a list that is left out is the one that was given. */
type Case = readonly [name: string, does: (list: List) => unknown, given: List, made?: unknown];

const ids = (list: List): unknown => findDanglingToolCallIds(list);
const looped = (list: List): unknown => runCleanupLoop(list).messages;
const dropped = (list: List): unknown => dropTrailingRequest(list).messages;
const closed = (list: List): unknown => removeDanglingToolCalls(list).messages;
const nonEmpty = (list: List): unknown => resume.removeEmptyResponses(list).messages;
const single = (list: List): unknown => resume.removeConsecutiveRequests(list).messages;
const without =
  (...gone: string[]) =>
  (list: List): unknown =>
    removeDanglingToolCalls(list, {}, gone).messages;

/** What holds in every dialect of calls and their ids. */
function callsOf({ user: ask, say: answer, results: returned }: Speaker): Case[] {
  const turn = [ask('read'), answer('', 'a'), ...returned('a'), answer('Done.')];
  return [
    [
      'the ids are those of calls without a return',
      ids,
      [...turn, answer('', 'b', 'c'), ...returned('b')],
      new Set('c'),
    ],
    ['there are no ids where every call has its return', ids, turn, new Set()],
    [
      'a return under another id is not that of a call',
      ids,
      [ask('r'), answer('', 'a'), ...returned('z')],
      new Set('a'),
    ],
    ['an id that is used again is dangling the second time', ids, [...turn, ask('r'), answer('', 'a')], new Set('a')],
    [
      'the open call of a batch goes, and the answered one stays',
      closed,
      [ask('read'), answer('Reading.', 'a', 'b'), ...returned('a')],
      [ask('read'), answer('Reading.', 'a'), ...returned('a')],
    ],
    [
      'an explicit set matches every occurrence of its ids, calls and returns alike',
      without('a'),
      [ask('one'), answer('First.', 'a'), ...returned('a'), answer('Second.', 'a', 'b'), ...returned('a', 'b')],
      [ask('one'), answer('First.'), answer('Second.', 'b'), ...returned('b')],
    ],
    ['a list without anything dangling stays', closed, turn],
  ];
}

/** What holds in every dialect of whole lists. */
function listsOf({ user: ask, say: answer, results: returned }: Speaker): Case[] {
  const turn = [ask('read'), answer('', 'a'), ...returned('a'), answer('Done.')];
  const cut = [ask('one'), answer('', 'a'), ask('two')];
  const again = [...turn.slice(0, -1), answer('k'), ask('2')];
  return [
    [
      'of requests in a run the last stays',
      single,
      [ask('1'), ask('2'), ask('3'), answer('3')],
      [ask('3'), answer('3')],
    ],
    ['a request that carries results stays', single, [...turn.slice(0, -1), ask('and?')]],
    ['a dangling call leaves an empty response, and that two requests in a run', looped, cut, [ask('two')]],
    ['a healthy history stays', looped, turn],
    [
      'a loop that has ended finds nothing more',
      (list) => looped(looped(list) as List),
      [ask('one'), answer('Reading.', 'a', 'b'), ...returned('b', 'z'), answer('', 'c')],
      [ask('one'), answer('Reading.', 'b'), ...returned('b')],
    ],
    ['a second answer to a call goes', looped, [...turn, ...returned('a'), answer('z')], [...turn, answer('z')]],
    [
      'a second answer that comes after the next words of the user does not cost them',
      looped,
      [...again, ...returned('a'), answer('z')],
      [...again, answer('z')],
    ],
    [
      'a history that is prepared loses a second answer as well',
      (list) => resume.prepareHistory(list),
      [...again, ...returned('a'), answer('z')],
      [...again, answer('z')],
    ],
    [
      'an unanswered request goes before a new one',
      dropped,
      [ask('one'), answer('One.'), ask('two')],
      [ask('one'), answer('One.')],
    ],
    ['a request of results stays before a new one', dropped, turn.slice(0, -1)],
    ['a history that ends in an answer stays before a new request', dropped, turn],
    ['what the loop uncovers at the end goes as well', dropped, [...turn, ...cut], turn],
    ['nothing may be left', dropped, cut, []],
  ];
}

describe.for(SPEAKERS)('%s', ([, speaker]) => {
  test.for([...callsOf(speaker), ...listsOf(speaker)])('%s', ([, does, given, made]) => {
    const list = freeze(given);
    if (made === undefined) expect(does(list)).toBe(list);
    else expect(does(list)).toEqual(made);
  });

  test('all that the loop has done is told', () => {
    const { user: ask, say: answer } = speaker;
    expect(runCleanupLoop([ask('one'), answer('', 'a'), ask('two')], freeze({ a: {} }))).toEqual({
      changed: true,
      messages: [ask('two')],
      toolCallArgsById: {},
      danglingToolCallIds: new Set(),
      iterations: 2,
      limitReached: false,
    });
    const args = { a: {} };
    const healthy = runCleanupLoop([ask('read'), answer('Done.')], args);
    expect(healthy.toolCallArgsById).toBe(args);
    expect(healthy).toMatchObject({ changed: false, iterations: 1, limitReached: false });
  });

  test('a result that a new prompt has come before is moved back to its call, and no prompt is lost', () => {
    const list = [speaker.user('read'), speaker.say('', 'a'), speaker.user('and?'), ...speaker.results('a')];
    const { messages } = runCleanupLoop(list);
    expect(JSON.stringify(messages)).toContain('and?');
    expect(resume.validateMessageStructure(messages)).toEqual({ valid: true, errors: [] });
  });

  test('messages that are not touched are the same objects, and so are arguments', () => {
    const list = freeze([speaker.user('read'), speaker.say('Reading.', 'a', 'b'), ...speaker.results('a')]);
    const cleaned = removeDanglingToolCalls(list, freeze({ a: { path: 'a' }, b: { path: 'b' } }));
    expect(cleaned).toMatchObject({ changed: true, toolCallArgsById: { a: { path: 'a' } } });
    expect([cleaned.messages[0], cleaned.toolCallArgsById['b']]).toEqual([list[0], undefined]);
    expect(cleaned.messages[0]).toBe(list[0]);
    const args = { a: 1, other: 2 };
    const whole = [speaker.user('read'), speaker.say('', 'a'), ...speaker.results('a')];
    const same = removeDanglingToolCalls(whole, args);
    expect([same.changed, same.messages === whole, same.toolCallArgsById === args]).toEqual([false, true, true]);
    const run = freeze([speaker.user('one'), speaker.user('two'), speaker.say('Two.')]);
    expect(resume.removeConsecutiveRequests(run).messages[0]).toBe(run[1]);
  });
});

const camel = { partKind: 'retry-prompt', toolName: 'read', content: 'no', toolCallId: 'a' };
const legacy = { ...response(text('Reading.')), tool_calls: [{ tool_name: 'read', args: {}, tool_call_id: 'a' }] };
const system = { part_kind: 'system-prompt', content: 'Be brief.' };
const [returnOfA] = results('a') as [{ parts: object[] }];
const bad = request({ part_kind: 'retry-prompt', content: 'bad', tool_call_id: 'a' });
const nameless = request({ part_kind: 'retry-prompt', content: 'bad', tool_call_id: 'a', tool_name: null });
const asked = [chat.user('1'), chat.say('', 'a')];
const returnOf = (kind: string, content: string): object => ({ ...returnOfA.parts[0], part_kind: kind, content });
const called = (id: string): object => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' });
const output = (id: string): object => ({ type: 'function_call_output', call_id: id, output: 'x' });
const stopped = [chat.user('1'), called('a'), chat.user('2'), called('a'), output('a')];
const healthy = [chat.user('1'), chat.user('2'), called('a'), output('a')];
const early = [output('a'), chat.user('1'), called('a'), chat.user('2')];

const FORMS: readonly Case[] = [
  ['a retry prompt is not a return', ids, [say('', 'a'), request(retry('a'))], new Set('a')],
  ['nor in camel case', ids, [say('', 'a'), request(camel)], new Set('a')],
  ['each call by itself', ids, [request(retry('a')), say('', 'b'), request(retry('a'), retry('b'))], new Set('b')],
  ['a return behind a retry prompt counts', ids, [say('', 'a'), request(retry('a')), ...results('a')], new Set()],
  ['a call that only the older list of calls shows counts', ids, [user('read'), legacy], new Set('a')],
  [
    'call and retry prompts with one id go together',
    closed,
    [user('read'), say('Reading.', 'a'), request(retry('a'), retry('a'))],
    [user('read'), say('Reading.')],
  ],
  [
    'so do those that name no tool',
    without('a'),
    [say('', 'a'), request(retry('a', { tool_name: null }), retry('b'), { part_kind: 'note', toolCallId: 'a' })],
    [request(retry('b'))],
  ],
  [
    'an entry of the older list of calls goes with its part',
    closed,
    [{ ...legacy, parts: (say('Reading.', 'a') as { parts: object[] }).parts }],
    [{ ...response(text('Reading.')), tool_calls: [] }],
  ],
  [
    'responses without parts go',
    nonEmpty,
    [user('1'), empty, response(text('')), empty],
    [user('1'), response(text(''))],
  ],
  [
    'an empty request is no response, and one with calls is not empty',
    nonEmpty,
    [request(), { ...empty, tool_calls: [{ tool_name: 'read', tool_call_id: 'a' }] }],
  ],
  [
    'an answer of a chat may be empty',
    nonEmpty,
    [chat.user('hi'), { role: 'assistant', content: '' }],
    [chat.user('hi')],
  ],
  [
    'and one of blocks',
    nonEmpty,
    [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [] },
    ],
    [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  ],
  [
    'a system prompt moves to the request that stays',
    single,
    [request(system, prompt('one')), user('two'), ...results('a'), user('three')],
    [request(system, ...returnOfA.parts), user('three')],
  ],
  [
    'a system message does not part two requests',
    single,
    [chat.user('1'), chat.system('S'), chat.user('2')],
    [chat.system('S'), chat.user('2')],
  ],
  [
    'nor does one behind them',
    single,
    [chat.user('1'), chat.user('2'), chat.system('S')],
    [chat.user('2'), chat.system('S')],
  ],
  [
    'an empty response goes before requests are compared',
    looped,
    [user('1'), empty, user('2'), say('2')],
    [user('2'), say('2')],
  ],
  [
    'a chain of all three is followed to its end',
    looped,
    [user('1'), say('', 'a'), user('2'), empty, user('3'), say('', 'b'), request(retry('b')), user('4'), empty],
    [user('4')],
  ],
  ...[bad, nameless].flatMap((prompted): Case[] => [
    [
      'a retry prompt without a tool goes with its dangling call',
      looped,
      [user('1'), say('', 'a'), prompted],
      [user('1')],
    ],
    ['so it does when calls are removed', closed, [user('1'), say('', 'a'), prompted], [user('1')]],
    [
      'and when a history is prepared',
      (list) => resume.prepareHistory(list),
      [user('1'), say('', 'a'), prompted],
      [user('1')],
    ],
    ['it is no return', ids, [user('1'), say('', 'a'), prompted], new Set('a')],
    ['it stays behind a return', looped, [user('1'), say('', 'a'), ...results('a'), prompted]],
    ['it stays behind words', looped, [user('1'), say('One.'), prompted]],
  ]),
  [
    'of a placeholder and a real answer the real one stays',
    looped,
    [
      ...asked,
      { ...(chat.results('a')[0] as object), content: RESULT_TEXTS.unknown },
      chat.user('and?'),
      ...chat.results('a'),
    ],
    [...asked, ...chat.results('a'), chat.user('and?')],
  ],
  [
    'of a retry prompt and a return the return stays',
    looped,
    [user('1'), say('', 'a'), request(returnOf('retry-prompt', 'again'), returnOf('tool-return', 'A'))],
    [user('1'), say('', 'a'), request(returnOf('tool-return', 'A'))],
  ],
  ['a call that was stopped is dangling, whatever a later one was answered', ids, stopped, new Set('a')],
  ['and it goes alone', closed, stopped, healthy],
  ['also where whole batches go', (list) => resume.removeIncompleteToolCalls(list), stopped, healthy],
  ['and in the loop', looped, stopped, healthy.slice(1)],
  ['and where a history is prepared', (list) => resume.prepareHistory(list), stopped, healthy.slice(1)],
  [
    'a result from before the call is no result of it',
    (list) => resume.removeOrphanedToolResults(list),
    early,
    early.slice(1),
  ],
  ['nor in the loop', looped, early, [chat.user('2')]],
];

test.for(FORMS)('%s', ([, does, given, made]) => {
  if (made === undefined) expect(does(given)).toBe(given);
  else expect(does(given)).toEqual(made);
});

test('a call that was stopped is named with its message', () => {
  expect(resume.findIncompleteToolCalls(stopped)).toEqual([{ message: 1, toolCallIds: ['a'] }]);
});

test('what is no history has no dangling calls, and comes back as it is', () => {
  for (const input of [[], [null, 7], [7], 'text', null, undefined] as never[]) {
    expect(findDanglingToolCallIds(input)).toEqual(new Set());
    expect(runCleanupLoop(input).messages).toBe(input);
  }
});

test('arguments are kept by the calls that are left', () => {
  const twice = [say('', 'a'), ...results('a'), say('Done.'), user('again'), say('', 'a', 'b')];
  expect(runCleanupLoop(twice, { a: 1, b: 2 }).toolCallArgsById).toEqual({ a: 1 });
  const open = removeDanglingToolCalls([say('', 'a'), ...results('a'), say('', 'a')], { a: 1 });
  expect([open.messages, open.toolCallArgsById]).toEqual([[say('', 'a'), ...results('a')], { a: 1 }]);
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

test('the entry points exist under their names', () => {
  expect(Object.keys(resume).sort().join(' ')).toBe(
    'MAX_CLEANUP_ITERATIONS dropTrailingRequest filterCompacted findDanglingToolCallIds findIncompleteToolCalls ' +
      'generateSummary isSummaryMessage prepareHistory pruneOldToolOutputs removeConsecutiveRequests ' +
      'removeDanglingToolCalls removeEmptyResponses removeIncompleteToolCalls removeOrphanedToolResults ' +
      'runCleanupLoop sanitizeHistoryForResume sanitizeRecoveredMessages shouldCompact splitHead ' +
      'stripSystemPromptParts validateMessageStructure',
  );
  expect(resume.MAX_CLEANUP_ITERATIONS).toBe(10);
});
