import { describe, expect, test } from 'vitest';
import {
  findIncompleteToolCalls,
  removeEmptyResponses,
  removeIncompleteToolCalls,
  removeOrphanedToolResults,
  runCleanupLoop,
  sanitizeRecoveredMessages,
  validateMessageStructure,
} from '../../src/resume/index.ts';
import { repair } from '../../src/index.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { anthropic, chat, dicts, freeze, objects, SPEAKERS, type Speaker } from '../speakers.ts';

/** Recovers a frozen session and holds the result to what every recovery promises; returns it. */
function recover(messages: readonly unknown[], speaker: Speaker): readonly unknown[] {
  const recovered = sanitizeRecoveredMessages(freeze(messages));
  expect(validateMessageStructure(recovered)).toEqual({ valid: true, errors: [] });
  expect(judge(speaker.dialect, recovered, { purpose: 'history' })).toEqual([]);
  expect(sanitizeRecoveredMessages(recovered)).toBe(recovered);
  const goesOn = [...recovered, speaker.user('go on'), speaker.say('Going on.')];
  expect(sanitizeRecoveredMessages(goesOn)).toBe(goesOn);
  return recovered;
}

const corrupt: Record<Speaker['dialect'], readonly unknown[]> = {
  'pydantic-ai': [null, 'half a li', { kind: 'response', parts: 42 }, { kind: 'reply', parts: [] }, { thought: 'hm' }],
  'openai-chat': [null, 'half a li', { role: 'assistant', content: 42 }, { role: 'narrator', content: 'x' }, {}],
  'anthropic-messages': [null, 'half a li', { role: 'assistant', content: 42 }, { role: 'narrator', content: 'x' }, {}],
};

type Case = readonly [name: string, given: readonly unknown[], made?: readonly unknown[]];

/** What holds in every dialect; a session that is left out is used as it is. */
function casesOf({ dialect, user, say, think, results }: Speaker): Case[] {
  const start = user('go');
  const turn = [user('read a'), say('Reading.', 'a'), ...results('a'), say('It says A.')];
  const later = [user('two'), say('', 'b'), ...results('b'), say('Done.')];
  return [
    ['complete', turn],
    ['incomplete tool call', [...turn, user('b'), say('Reading b.', 'b')], [...turn, user('b'), say('Reading b.')]],
    [
      'mid-parallel execution: all calls of that turn and their results go',
      [...turn, user('all'), say('Reading all.', 'x', 'y', 'z'), ...results('x', 'y')],
      [...turn, user('all'), say('Reading all.')],
    ],
    ['orphaned tool result', [...turn, ...results('lost'), user('next')], [...turn, user('next')]],
    ['mid-thinking: the thought is kept', [...turn, user('why?'), think('because of the wind', 'Well,')]],
    ['incomplete at the end', [start, say('', 'a')], [start]],
    ['incomplete in the middle', [start, say('', 'a'), user('and?')], [start, user('and?')]],
    ['orphaned result', [...results('a'), start], [start]],
    ['mixed content', [start, say('Reading.', 'a')], [start, say('Reading.')]],
    ['parallel incomplete', [start, say('', 'a', 'b', 'c'), ...results('a', 'b')], [start]],
    ['empty after cleanup', [say('', 'a')], []],
    ['multiple orphans', [start, ...results('a'), ...results('b', 'c')], [start]],
    ['complete pair', [start, say('', 'a', 'b'), ...results('b', 'a')]],
    ['the last message is the user’s', [user('one'), say('One.'), user('two')]],
    ['one answer without calls', [user('one'), say('One.')]],
    ['text only', [user('one'), say('One.'), user('two'), say('Two.')]],
    ['several answers in a row', [user('one'), say('One.'), say('And more.')]],
    ['several prompts in a row lose no text', [user('one'), user('two'), say('Both.')]],
    ['an id used again in a later turn', [user('1'), say('', 'a'), ...results('a'), say('', 'a'), ...results('a')]],
    ['the result of a call that was removed', [start, say('', 'a', 'b'), ...results('b'), say('D')], [start, say('D')]],
    [
      'an incomplete call in an early turn does not touch later ones',
      [start, say('Reading.', 'a'), ...later],
      [start, say('Reading.'), ...later],
    ],
    ...corrupt[dialect].map((message): Case => [
      `corrupted message: ${JSON.stringify(message)}`,
      [...turn, message, user('next')],
      [...turn, user('next')],
    ]),
  ];
}

describe.for(SPEAKERS)('%s', ([, speaker]) => {
  test.for(casesOf(speaker))('%s', ([, given, made]) => {
    if (made === undefined) expect(recover(given, speaker)).toBe(given);
    else expect(recover(given, speaker)).toEqual(made);
  });

  test.for(corrupt[speaker.dialect])('a corrupted message is skipped with a warning: %j', (message) => {
    const said: string[] = [];
    sanitizeRecoveredMessages([speaker.user('read a'), message], (line) => void said.push(line));
    expect(said).toEqual([
      expect.stringMatching(/^Cleaned the message history: message \d: left out a .* Send the output/),
    ]);
  });

  test('empty session: starts fresh', () => {
    const none: unknown[] = [];
    expect(sanitizeRecoveredMessages(none)).toBe(none);
  });
});

test.for([dicts, objects, chat].map((speaker) => [speaker.name, speaker] as const))(
  'system message only, %s: used as it is',
  ([, speaker]) => {
    const messages = [speaker.system('Be brief.')];
    expect(recover(messages, speaker)).toBe(messages);
  },
);

test('system message only, where the list has no place for it: the list is empty and the logger is told', () => {
  const said: string[] = [];
  const messages = [anthropic.system('Be brief.'), anthropic.say('', 'a')];
  expect(sanitizeRecoveredMessages(messages, (line) => void said.push(line))).toEqual([]);
  expect(said.join('\n')).toMatch(/System messages cannot stand in the list: 1\. .*: Be brief\./);
});

test('mid-thinking without a word after it: the thought is kept as text where thinking may not come last', () => {
  const messages = [anthropic.user('why?'), anthropic.think('because of the wind', '', 'a')];
  expect(JSON.stringify(recover(messages, anthropic))).toContain('because of the wind');
  const alone = [dicts.user('why?'), dicts.think('because of the wind', '', 'a')];
  expect(recover(alone, dicts)).toEqual([dicts.user('why?'), dicts.think('because of the wind', '')]);
});

describe('edge cases', () => {
  test('delegation: a parent is recovered when its child never answered', () => {
    const parent = [chat.user('research'), chat.say('Asking a colleague.', 'delegate'), chat.user('well?')];
    expect(recover(parent, chat)).toEqual([chat.user('research'), chat.say('Asking a colleague.'), chat.user('well?')]);
  });

  test('raw_content is kept, without the calls that went', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const raw_content = [thinking, { type: 'tool_use', id: 'a', name: 'read', input: {} }];
    const message = { ...(chat.say('Reading.', 'a') as object), raw_content };
    expect(recover([chat.user('read'), message], chat)).toEqual([
      chat.user('read'),
      { ...(chat.say('Reading.') as object), raw_content: [thinking] },
    ]);
    const whole = [chat.user('read'), message, ...chat.results('a')];
    expect(recover(whole, chat)).toBe(whole);
  });

  describe('what is left of an answer whose calls went', () => {
    const calling = (content: string | null, ...ids: string[]): object => ({
      ...(chat.say('', ...ids) as object),
      content,
    });
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const raw = (content: string | null): object => ({
      ...calling(content, 'a'),
      raw_content: [thinking, { type: 'tool_use', id: 'a', name: 'read', input: {} }],
    });

    test.for(['', null])('nothing, where its content is %j', (content) => {
      const user = chat.user('read');
      expect(recover([calling(content, 'a')], chat)).toEqual([]);
      expect(recover([user, calling(content, 'a', 'b'), ...chat.results('a')], chat)).toEqual([user]);
      expect(removeIncompleteToolCalls([calling(content, 'a')])).toEqual([]);
      expect(removeIncompleteToolCalls(calling(content, 'a'))).toBeUndefined();
      expect(removeIncompleteToolCalls(calling(content, 'a'), ['a'])).toBeUndefined();
      expect([user, calling(content, 'a')].map(removeIncompleteToolCalls as (each: unknown) => unknown)).toEqual([
        user,
        undefined,
      ]);
      expect(repair([user, calling(content, 'a')], 'openai-chat', { policy: 'discard' }).output).toEqual([user]);
    });

    test.for(['', null])('what the model has thought beside it, where its content is %j', (content) => {
      const left = [chat.user('read'), { role: 'assistant', content: '', raw_content: [thinking] }];
      const messages = freeze([chat.user('read'), raw(content)]);
      expect(recover(messages, chat)).toEqual(left);
      expect(runCleanupLoop(messages).messages).toEqual(left);
      expect(removeIncompleteToolCalls(raw(content))).toEqual(left[1]);
      expect(removeEmptyResponses(left).messages).toBe(left);
      expect(runCleanupLoop(left).messages).toBe(left);
    });

    test('the same in a framework that keeps the words of the provider', () => {
      const raw_content = [thinking, { type: 'tool_use', id: 'a', name: 'read', input: {} }];
      const messages = [dicts.user('read'), { ...(dicts.say('', 'a') as object), raw_content }];
      expect(runCleanupLoop(messages).messages).toEqual([
        dicts.user('read'),
        { kind: 'response', parts: [{ part_kind: 'text', content: '' }], raw_content: [thinking] },
      ]);
    });
  });

  test('a retry prompt makes a call complete', () => {
    const retry = { part_kind: 'retry-prompt', tool_name: 'read', content: 'no', tool_call_id: 'a' };
    const messages = [dicts.user('read'), dicts.say('', 'a'), { kind: 'request', parts: [retry] }];
    expect(recover(messages, dicts)).toBe(messages);
    expect(findIncompleteToolCalls(messages)).toEqual([]);
  });
});

describe('recovery guarantees', () => {
  const lines = (count: number, about: string): string[] =>
    Array.from({ length: count }, (_, i) => `${about} ${String(i)}: ${'what was said at length about it. '.repeat(4)}`);

  /** Share of the texts, by characters, that can still be read in the recovered messages. */
  const share = (texts: readonly string[], recovered: readonly unknown[]): number => {
    const json = JSON.stringify(recovered);
    const size = (some: readonly string[]): number => some.reduce((sum, each) => sum + each.length, 0);
    return size(texts.filter((each) => json.includes(each))) / size(texts);
  };

  describe.for(SPEAKERS)('%s', ([, speaker]) => {
    const { user, say, think, results } = speaker;
    const asked = lines(12, 'question');
    const answered = lines(12, 'answer');
    const thoughts = speaker.dialect === 'openai-chat' ? [] : lines(12, 'thought');
    const turns = asked.flatMap((question, i) => [
      user(question),
      think(thoughts[i] ?? '-', '', `call_${String(i)}`),
      ...results(`call_${String(i)}`),
      say(answered[i] ?? ''),
    ]);
    const texts = [...asked, ...answered, ...thoughts];

    test('normal recovery: 100 %', () => {
      expect(share(texts, recover(turns, speaker))).toBe(1);
    });

    test('incomplete tool call: at least 95 %, only the call is lost', () => {
      const [question, thought, text] = ['the last question', 'the last thought', 'Let me look.'];
      const cut = [...turns, user(question), think(thought, text, 'open')];
      const said = [...texts, question, text, ...(thoughts.length > 0 ? [thought] : [])];
      expect(share(said, recover(cut, speaker))).toBeGreaterThanOrEqual(0.95);
    });

    test('corrupted last message: at least 90 %, only the last is lost', () => {
      const corrupted = 'the last answer, of which half was written';
      const cut = [
        ...turns,
        { ...(say('') as object), role: 7, kind: 7, content: { half: corrupted }, parts: corrupted },
      ];
      const preserved = share([...texts, corrupted], recover(cut, speaker));
      expect(preserved).toBeGreaterThanOrEqual(0.9);
      expect(preserved).toBeLessThan(1);
    });

    const broken = (from: number): unknown[] => [
      ...turns.slice(0, from),
      null,
      ...results('lost'),
      user('all three'),
      say('Reading all three.', 'x', 'y', 'z'),
      ...results('x'),
      ...turns.slice(from, -2),
      ...turns.slice(-3),
      { note: 'no message' },
      say('And then', 'open'),
    ];
    const spoken = [...texts, 'all three', 'Reading all three.', 'And then'];

    test('multiple issues: at least 80 %', () => {
      expect(share(spoken, recover(broken(turns.length / 2), speaker))).toBeGreaterThanOrEqual(0.8);
    });

    test('multiple issues from the start: at least 80 % where the model is known not to seal its reasoning', () => {
      const model = 'claude-sonnet-4-5';
      const target = speaker.dialect === 'anthropic-messages' ? { model } : undefined;
      const recovered = sanitizeRecoveredMessages(freeze(broken(0)), undefined, target);
      expect(judge(speaker.dialect, recovered, { purpose: 'history', model })).toEqual([]);
      expect(share(spoken, recovered)).toBeGreaterThanOrEqual(0.8);
    });

    test('completely corrupted: nothing is left, and it works', () => {
      const said: string[] = [];
      const logger = { warn: (line: string) => void said.push(line) };
      const ruins = [null, 7, 'half a li', [], {}, { note: 'x' }, undefined, true];
      expect(sanitizeRecoveredMessages(ruins, logger)).toEqual([]);
      expect(said).toEqual(['Nothing in the recovered session can be read as a message. Start a new conversation.']);
      expect(recover([...ruins, user('hello')], speaker)).toEqual([user('hello')]);
    });
  });

  test('what is not even a list becomes an empty one', () => {
    const said: string[] = [];
    for (const input of [null, undefined, 'text', 7, { messages: 1 }]) {
      expect(sanitizeRecoveredMessages(input as never, (line) => void said.push(line))).toEqual([]);
    }
    expect(said[0]).toBe('The recovered session is not a list of messages. Start a new conversation.');
  });

  test('a thousand messages with a call open in every turn are recovered in one go', () => {
    const turns = Array.from({ length: 350 }, (_, i) => [
      chat.user(`question ${String(i)}`),
      chat.say('Reading.', `a${String(i)}`, `b${String(i)}`),
      ...chat.results(`a${String(i)}`),
    ]);
    const recovered = sanitizeRecoveredMessages(turns.flat());
    expect(judge('openai-chat', recovered)).toEqual([]);
    expect(JSON.stringify(recovered).match(/question \d+/g)).toHaveLength(350);
  });
});

describe('the functions the plan names', () => {
  describe.for(SPEAKERS)('%s', ([, speaker]) => {
    const { user, say, results } = speaker;
    const messages = [user('go'), say('Reading.', 'a', 'b'), ...results('a'), user('and?'), say('', 'c')];

    test('findIncompleteToolCalls tells which messages have which open calls', () => {
      expect(findIncompleteToolCalls(messages)).toEqual([
        { message: 1, toolCallIds: ['b'] },
        { message: messages.length - 1, toolCallIds: ['c'] },
      ]);
    });

    test('removeIncompleteToolCalls takes a cut batch out of a list as a whole', () => {
      expect(removeIncompleteToolCalls(messages)).toEqual([user('go'), say('Reading.'), user('and?')]);
    });

    test('removeIncompleteToolCalls cleans one message: of all calls, or of those named', () => {
      expect(removeIncompleteToolCalls(say('Reading.', 'a', 'b'))).toEqual(say('Reading.'));
      expect(removeIncompleteToolCalls(say('Reading.', 'a', 'b'), ['b'])).toEqual(say('Reading.', 'a'));
      expect(removeIncompleteToolCalls(say('', 'a'))).toBeUndefined();
      const safe = say('Hi.');
      expect(removeIncompleteToolCalls(safe)).toBe(safe);
    });

    test('removeOrphanedToolResults removes results without a call and nothing else', () => {
      expect(removeOrphanedToolResults([...results('z'), ...messages])).toEqual(messages);
      expect(removeOrphanedToolResults(messages)).toBe(messages);
    });

    test('validateMessageStructure takes a batch answered over several messages, in any order', () => {
      const batch = [user('go'), say('', 'a', 'b', 'c'), ...results('c'), ...results('a'), ...results('b')];
      expect(validateMessageStructure(batch)).toEqual({ valid: true, errors: [] });
    });

    test('validateMessageStructure names what is wrong by message', () => {
      expect(validateMessageStructure(messages)).toEqual({
        valid: false,
        errors: [
          'Message 1: call b to read has no result',
          `Message ${String(messages.length - 1)}: call c to read has no result`,
        ],
      });
    });
  });

  test('validateMessageStructure says so of what is no history at all', () => {
    expect(validateMessageStructure(7 as never)).toEqual({
      valid: false,
      errors: ['this is not a list of messages, or a request with one, in any dialect known here'],
    });
    expect(validateMessageStructure([])).toEqual({ valid: true, errors: [] });
  });
});
