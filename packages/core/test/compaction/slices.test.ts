import { describe, expect, test } from 'vitest';
import { SUMMARY_HEADING } from '../../src/model/summary-message.ts';
import { before, cuts, fromTurn, lastTurns, page, splitHead, turns } from '../../src/index.ts';
import { aiSdkModel, anthropic, chat, gemini, responses } from '../words.ts';

type Wire = object;

let ids = 0;
const user = (content: string): Wire => ({ role: 'user', content });
const answer = (content = 'done'): Wire => ({ role: 'assistant', content });

/** One step: an answer that calls some tools, and their results. */
function step(calls = 1): Wire[] {
  const names = Array.from({ length: calls }, () => `call_${(ids += 1)}`);
  const listed = names.map((id) => chat.call(id));
  return [{ role: 'assistant', content: null, tool_calls: listed }, ...names.map((id) => chat.result(id, 'text'))];
}

/** A turn of so many messages: words, steps with one tool each, and an answer. */
function turn(length: number): Wire[] {
  const steps = Array.from({ length: (length - 2) / 2 }, () => step()).flat();
  return [user(`question ${(ids += 1)}`), ...steps, answer()];
}

const lengths = ({ head, tail }: { head: readonly unknown[]; tail: readonly unknown[] }): number[] => [
  head.length,
  tail.length,
];

describe('the cases of the post-mortem of a cut in mid-turn', () => {
  test('turns of 8, 6 and 4 messages with minKeepTail 4 are divided before the last turn', () => {
    const history = [...turn(8), ...turn(6), ...turn(4)];
    const { head, tail } = splitHead(history, { minKeepTail: 4 });
    expect(lengths({ head, tail })).toEqual([14, 4]);
    expect(tail[0]).toBe(history[14]);
    expect(lengths(splitHead(history, { minKeepTail: 5 }))).toEqual([8, 10]);
    expect(lengths(splitHead(history, { minKeepTail: 10 }))).toEqual([8, 10]);
    expect(lengths(splitHead(history, { minKeepTail: 11 }))).toEqual([0, 18]);
  });

  test('one unbroken turn of 22 messages has no head', () => {
    const history = turn(22);
    expect(history).toHaveLength(22);
    const { head, tail } = splitHead(history, { minKeepTail: 4 });
    expect(head).toEqual([]);
    expect(tail).toBe(history);
  });

  test('turns with ten tools each stay whole, in ten steps and in one batch', () => {
    const batch = [user('all at once'), ...step(10), answer()];
    const history = [...turn(22), ...turn(22), ...batch];
    expect(cuts(history)).toEqual([0, 22, 44, 57]);
    expect(lengths(splitHead(history, { minKeepTail: 4 }))).toEqual([44, 13]);
    expect(lengths(splitHead(history, { minKeepTail: 20 }))).toEqual([22, 35]);
  });

  test('a history shorter than the tail is all tail', () => {
    const history = turn(4);
    const { head, tail } = splitHead(history, { minKeepTail: 40 });
    expect(head).toEqual([]);
    expect(tail).toBe(history);
    expect(splitHead([], { minKeepTail: 4 })).toEqual({ head: [], tail: [] });
  });

  test('minKeepTail 0 makes everything head, and with an open call everything before its turn', () => {
    const history = [...turn(4), ...turn(4)];
    const { head, tail } = splitHead(history, { minKeepTail: 0 });
    expect(head).toBe(history);
    expect(tail).toEqual([]);
    const open = [...history, user('and now'), ...step().slice(0, 1)];
    expect(lengths(splitHead(open, { minKeepTail: 0 }))).toEqual([8, 2]);
  });

  test.each([
    ['no number', Number.NaN, [0, 8]],
    ['less than nothing', -3, [8, 0]],
    ['a fraction', 3.5, [4, 4]],
    ['infinitely many', Number.POSITIVE_INFINITY, [0, 8]],
  ])('a tail of %s is read as the safer of what may be meant', (_, minKeepTail, expected) => {
    expect(lengths(splitHead([...turn(4), ...turn(4)], { minKeepTail }))).toEqual(expected);
  });
});

const reminder = '<system-reminder>\nThe file has changed.\n</system-reminder>';
const kindsOf = (list: unknown): string[] => turns(list).map(({ kind, from, to }) => `${kind} ${from}-${to}`);

describe('turns', () => {
  test('together are the list, in order and with its own messages', () => {
    const history = [...turn(8), ...turn(4)];
    const all = turns(history);
    expect(all.map(({ index, from, to, kind }) => [index, from, to, kind])).toEqual([
      [0, 0, 8, 'user'],
      [1, 8, 12, 'user'],
    ]);
    expect(all.flatMap(({ messages }) => messages).every((message, index) => message === history[index])).toBe(true);
  });

  test('summaries and what programs put in under the name of the user are no turns of a person', () => {
    const history = [
      user('<environment_context>\n</environment_context>'),
      user('first'),
      ...step(),
      user(reminder),
      answer(),
      user(`${SUMMARY_HEADING}\nAll is well.`),
      answer('I see.'),
      user(reminder),
      user('second'),
      answer(),
    ];
    expect(kindsOf(history)).toEqual(['user 0-6', 'summary 6-8', 'user 8-11']);
    expect(lastTurns(history, 1)).toHaveLength(3);
    expect(lastTurns(history, 2)).toBe(history);
  });

  test.each([
    ['an answer', [answer()], 'none 0-1'],
    ['the system', [chat.system('rules')], 'none 0-1'],
    ['a program', [chat.system('rules'), user(reminder), answer()], 'context 0-3'],
  ])('a list that begins with %s has a stretch before the first turn', (_, first, expected) => {
    expect(kindsOf([...first, user('hi'), answer()])[0]).toBe(expected);
  });

  test('a person who speaks behind a reminder in the same message is heard', () => {
    expect(kindsOf([user(`${reminder}\nNow go on.`), answer()])).toEqual(['user 0-2']);
    expect(kindsOf([user('<system-reminders>x</system-reminder>')])).toEqual(['user 0-1']);
    const parts = [anthropic.text(`${SUMMARY_HEADING}\nAll is well.`), anthropic.text('Now go on.')];
    expect(kindsOf([answer(), { role: 'user', content: parts }])).toEqual(['none 0-1', 'user 1-2']);
  });

  test('a line that only resembles the heading of a summary is talk', () => {
    expect(kindsOf([user(`${SUMMARY_HEADING} is what I see`), answer()])).toEqual(['user 0-2']);
    expect(kindsOf([user(SUMMARY_HEADING), answer()])).toEqual(['summary 0-2']);
    expect(kindsOf([user(`${SUMMARY_HEADING}\r\nAll is well.`), answer()])).toEqual(['summary 0-2']);
  });

  test('a context directly before a summary, and results after it, begin nothing', () => {
    const history = [user('hi'), ...step(), user(reminder), user(`${SUMMARY_HEADING}\nx`), answer()];
    expect(kindsOf(history)).toEqual(['user 0-4', 'summary 4-6']);
  });

  test('a message that throws when it is read is nobody’s, and the others are told', () => {
    const hostile = {
      get role(): string {
        throw new Error('no');
      },
    };
    const late = {
      role: 'assistant',
      get content(): string {
        throw new Error('no');
      },
    };
    const history = [user('one'), ...step(), hostile, late, user('two'), answer()];
    expect(turns(history, 'openai-chat').map(({ from }) => from)).toEqual([0, 5]);
    expect(cuts([hostile])).toEqual([]);
  });

  test('what is in no dialect has no turns and no cuts, and is not divided', () => {
    const strange = [1, 2, 3];
    expect([turns(strange), cuts(strange), turns(undefined)]).toEqual([[], [], []]);
    expect(lastTurns(strange, 1)).toBe(strange);
    expect(splitHead(strange, { minKeepTail: 0 })).toEqual({ head: [], tail: strange });
    expect(page(strange, { minMessages: 1 })).toEqual({ messages: strange, next: undefined, hasMore: false });
    expect(before(strange, 2)).toEqual([]);
    expect(lastTurns('nothing', 1)).toBe('nothing');
  });
});

describe('places that are no cuts', () => {
  test.each<[string, unknown[], number[]]>([
    [
      'a call that is answered behind words of the user, where results may stand anywhere',
      [
        responses.user('look'),
        responses.call('c1'),
        responses.user('hurry'),
        responses.result('c1', 'a'),
        responses.user('thanks'),
      ],
      [0, 4, 5],
    ],
    [
      'an id that is used again while only one result is there',
      [
        responses.user('look'),
        responses.call('c1'),
        responses.result('c1', 'a'),
        responses.user('again'),
        responses.call('c1'),
        responses.user('never mind'),
      ],
      [0, 5, 6],
    ],
    [
      'a call that is made again before it is answered',
      [
        responses.user('look'),
        responses.call('c1'),
        responses.user('again'),
        responses.call('c1'),
        responses.result('c1', 'a'),
      ],
      [0, 5],
    ],
    [
      'a result whose call is only referred to',
      [
        { type: 'item_reference', id: 'fc_1' },
        responses.user('look'),
        responses.result('c9', 'a'),
        responses.user('thanks'),
      ],
      [0, 3, 4],
    ],
    [
      'a program and what it gave',
      [
        responses.user('look'),
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' },
        { type: 'program', id: 'p_1', call_id: 'prog_1', fingerprint: 'f' },
        responses.user('hurry'),
        { type: 'program_output', id: 'po_1', call_id: 'prog_1' },
        responses.user('thanks'),
      ],
      [0, 5, 6],
    ],
  ])('%s', (_, list, expected) => {
    expect(cuts(list, 'openai-responses')).toEqual(expected);
  });

  test('an output of a program that is only referred to, or of none, hangs on what is there', () => {
    const output = { type: 'program_output', id: 'po_1', call_id: 'prog_1' };
    const asked = responses.user('look');
    expect(cuts([{ type: 'item_reference', id: 'x' }, asked, output], 'openai-responses')).toEqual([0, 3]);
    expect(cuts([asked, output, asked], 'openai-responses')).toEqual([0, 2, 3]);
  });

  test('a step without the signature that its provider asks for is not made the last', () => {
    const ask = gemini.user('look');
    const call = gemini.say(gemini.call('read'));
    const result = gemini.user(gemini.result('read', 'a'));
    const said = gemini.say('done');
    expect(cuts([ask, call, result, ask, said], 'gemini')).toEqual([0, 5]);
    expect(cuts([ask, call, result, said, ask, said], 'gemini')).toEqual([0, 4, 6]);
    const older = { dialect: 'gemini', model: 'gemini-2.5-flash' } as const;
    expect(cuts([ask, call, result, ask, said], older)).toEqual([0, 3, 5]);
  });

  test('a decision on a call, and an empty message of results, are not made the last', () => {
    const call = aiSdkModel.call('c1');
    const asked = { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' };
    const decided = { type: 'tool-approval-response', approvalId: 'a1', approved: true };
    const opening = [user('go'), { role: 'assistant', content: [call, asked] }];
    const decision = aiSdkModel.results(decided);
    expect(cuts([...opening, decision, user('and'), answer()], 'ai-sdk-model')).toEqual([0, 5]);
    expect(cuts([user('go'), answer(), aiSdkModel.results(), user('and')], 'ai-sdk-model')).toEqual([0, 4]);
  });

  test('the beginning of a list that begins in the middle of something', () => {
    const [call, result] = step() as [Wire, Wire];
    expect(cuts([result, user('hi')])).toEqual([1, 2]);
    const first = { role: 'assistant', content: [anthropic.text('hi')] };
    const told = { role: 'user', content: [anthropic.text('hi')] };
    expect(cuts([first, told], 'anthropic-messages')).toEqual([1, 2]);
    expect(cuts([first, told], { dialect: 'anthropic-messages', profile: { firstUser: false } })).toEqual([0, 1, 2]);
    expect(cuts([call, result])).toEqual([0, 2]);
    expect(cuts([], 'openai-chat')).toEqual([0]);
  });

  test('the end of a list whose last calls are not answered', () => {
    const [call] = step(2) as [Wire];
    expect(cuts([user('hi'), call])).toEqual([0]);
    expect(cuts([user('hi'), call, user('never mind')])).toEqual([0, 2, 3]);
  });
});

describe('pages', () => {
  const history = [...turn(8), ...turn(6), ...turn(4)];

  test('end at cuts, are as long as asked or longer, and say whether there is more', () => {
    const first = page(history, { minMessages: 5 });
    expect([first.messages.length, first.next, first.hasMore]).toEqual([8, 8, true]);
    const second = page(history, { after: first.next, minMessages: 7 });
    expect([second.messages.length, second.next, second.hasMore]).toEqual([10, undefined, false]);
    expect([...first.messages, ...second.messages]).toEqual(history);
  });

  test('begin at the cut before a place that is none, so that nothing is passed over', () => {
    const { messages } = page(history, { after: 11, minMessages: 1 });
    expect(messages).toEqual(history.slice(8, 14));
  });

  test('never stand still, and end behind the last message', () => {
    expect(page(history, { minMessages: 0 }).next).toBe(8);
    expect(page(history, { after: 18, minMessages: 1 })).toEqual({ messages: [], next: undefined, hasMore: false });
    expect(page(history, { minMessages: 1000 }).messages).toBe(history);
  });

  test('the last one holds a call that is still open', () => {
    const open = [...history, user('go'), ...step().slice(0, 1)];
    const { messages, hasMore } = page(open, { after: 18, minMessages: 1 });
    expect([messages.length, hasMore]).toEqual([2, false]);
  });
});

describe('what is before a message', () => {
  const history = [...turn(8), ...turn(6)];

  test('ends at the cut before it, whether it is named by its place, by itself or by what fits', () => {
    expect(before(history, 10)).toEqual(history.slice(0, 8));
    expect(before(history, 8)).toEqual(history.slice(0, 8));
    expect(before(history, history[7] as object)).toEqual([]);
    expect(before(history, (message) => message === history[9])).toEqual(history.slice(0, 8));
  });

  test('a time resolves to the cut before the first message after it', () => {
    const timed = history.map((message, at) => ({ ...message, at }));
    const since = (time: number) => (message: unknown) => (message as { at: number }).at >= time;
    expect(before(timed, since(11))).toEqual(timed.slice(0, 8));
    expect(before(timed, since(3))).toEqual([]);
    expect(before(timed, since(99))).toBe(timed);
  });

  test('is everything where there is no such message', () => {
    expect(before(history, {})).toBe(history);
    expect(before(history, 14)).toBe(history);
    expect(before(history, -1)).toEqual([]);
  });
});

describe('turns by number', () => {
  const history = [chat.system('rules'), ...turn(8), ...turn(6), ...turn(4)];

  test('fromTurn begins where turns says that the turn begins', () => {
    expect(fromTurn(history, 0)).toBe(history);
    expect(fromTurn(history, 2)).toEqual(history.slice(9));
    expect(fromTurn(history, 9)).toEqual([]);
  });

  test('lastTurns gives the last of a person, none for none, and all where there are no more', () => {
    expect(lastTurns(history, 2)).toEqual(history.slice(9));
    expect(lastTurns(history, 0)).toEqual([]);
    expect(lastTurns(history, 3)).toBe(history);
  });

  test('a request keeps its other fields, and is itself where nothing is left out', () => {
    const body = { model: 'gpt-5', messages: history, tools: [] };
    expect(lastTurns(body, 1)).toEqual({ model: 'gpt-5', messages: history.slice(15), tools: [] });
    expect(lastTurns(body, 3)).toBe(body);
    const lone = { model: 'gpt-5', input: 'hello' };
    expect(lastTurns(lone, 1)).toBe(lone);
    expect(splitHead(lone, { minKeepTail: 1 }).head).toEqual({ model: 'gpt-5', input: [] });
  });
});
