import { describe, expect, test } from 'vitest';
import { ACKNOWLEDGED } from '../../src/compaction/summary-message.ts';
import {
  check,
  compact,
  decode,
  estimateTokens,
  generateSummary,
  isSummaryMessage,
  RESULT_TEXTS,
  type CompactOptions,
} from '../../src/index.ts';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { assistant, call, result, text, thought, user } from '../anthropic-wire.ts';
import { compacted, sound, steps, turn, turns, words } from '../compacted.ts';
import { messagesIn } from '../fuzz/reading.ts';
import { chat as chatWords, pydantic } from '../words.ts';

const { say, system } = chatWords;

const bulk = 'a line of some output\n'.repeat(200);

describe('what always survives', () => {
  test('the active instruction, where the newest turn alone exceeds the budget and is divided inside', async () => {
    const list = turn(7, 30);
    const made = await compacted(list, { budgetTokens: 1500 });
    expect(made.report.met).toBe(true);
    const [summary, acknowledged, instruction, next, ...rest] = made.history;
    expect([isSummaryMessage(summary), acknowledged, instruction]).toEqual([
      true,
      assistant([text(ACKNOWLEDGED)]),
      list[0],
    ]);
    expect(next).toHaveProperty('role', 'assistant');
    expect(rest.at(-1)).toBe(list.at(-1));
    expect(made.report.gone.filter(({ what }) => what === 'summarised')).toEqual([
      expect.objectContaining({ from: 1, to: list.length - rest.length - 1 }),
    ]);
    sound(made.history);
  });

  test('what stands for a result that may still come', async () => {
    const later = ['And?', 'And now?', 'And then?'].flatMap((asked) => [user(asked), assistant([text('Yes.')])]);
    const list = [user('Read it.'), assistant([call('c1')]), user([result('c1', RESULT_TEXTS.unknown)]), ...later];
    const made = await compacted(list, { budgetTokens: 30, clampTokens: 12, ladder: ['clamp', 'prune'] });
    expect(made.history).toBe(list);
    const read = user([result('c1', words(60))]);
    const other = await compacted(list.with(2, read), { budgetTokens: 30, clampTokens: 12, ladder: ['clamp'] });
    expect(other.history[2]).not.toBe(read);
  });

  test.for([
    [400, true],
    [2000, false],
  ] as const)('words that stand beside a result, where %s tokens are left', async ([budgetTokens, clamps]) => {
    const step = (id: string, ...said: object[]): object[] => [
      assistant([call(id)]),
      user([result(id, bulk), ...said]),
    ];
    const list = [
      user('a poem about cats'),
      ...step('a', text('STOP: write about DOGS')),
      ...['b', 'c', 'd'].flatMap((id) => step(id, text('<system-reminder>be quick</system-reminder>'))),
    ];
    const ladder = clamps ? {} : { ladder: ['rule-summary'] as const };
    const made = await compacted(list, { budgetTokens, ...ladder });
    expect(JSON.stringify(made.history)).toContain('STOP: write about DOGS');
    expect(JSON.stringify(made.history)).toContain('a poem about cats');
    sound(made.history);
  });

  test('words that stand beside a result, in a summary made by rules', async () => {
    const list = [
      user('a poem about cats'),
      assistant([call('a')]),
      user([result('a', 'x'), text('<system-reminder>be quick</system-reminder>'), text('No: about DOGS')]),
      assistant('Of course.'),
    ];
    const { content } = await generateSummary(list);
    expect(content).toContain('No: about DOGS');
    expect(content).not.toContain('be quick');
  });

  test('words that stand beside a result, in a framework that holds both in one request', async () => {
    const step = (id: string, ...said: object[]): object[] => [
      pydantic.say(pydantic.call(id, 'f')),
      pydantic.user(pydantic.result(id, bulk, 'f'), ...said),
    ];
    const prompt = (content: string): object => ({ part_kind: 'user-prompt', content });
    const list = [
      pydantic.user(prompt('a poem about cats')),
      ...step('a', prompt('STOP: write about DOGS')),
      ...['b', 'c', 'd'].flatMap((id) => step(id)),
    ];
    const made = await compact(list, { budgetTokens: 400 });
    expect(JSON.stringify(made.history)).toContain('STOP: write about DOGS');
  });

  test('the active instruction, with nothing else to be kept', async () => {
    const list = [...turns(5), user('The last wish.'), ...turn(9, 4).slice(1)];
    const made = await compacted(list, { budgetTokens: 60, keep: { minTurns: 0 } });
    expect(made.history).toContain(list[20]);
    expect(made.report.why).toContain('what must stay is more than the budget');
    sound(made.history);
  });

  test('pins, with what belongs to them', async () => {
    const list = turns(20);
    const pins = [5, list[9] as object];
    const made = await compacted(list, { budgetTokens: 1500, pins });
    const kept = list.filter((message) => made.history.includes(message));
    expect([list[5], list[6], list[9], list[10]].every((message) => kept.includes(message as object))).toBe(true);
    const gone = made.report.gone.filter(({ what }) => what === 'summarised');
    expect(gone.map(({ from, to }) => [from, to])).toEqual([
      [0, 5],
      [7, 9],
      [11, list.length - made.history.length + 6],
    ]);
    sound(made.history);
  });

  test('a pinned answer between two others, with somebody who speaks between them', async () => {
    const list = [user('One.'), assistant('Yes.'), user('Two.'), assistant('No.'), ...turns(12)];
    const made = await compacted(list, { budgetTokens: 1000, pins: [1, 3] });
    expect(made.history.slice(1, 4)).toEqual([list[1], user([text('[conversation resumed]')]), list[3]]);
    sound(made.history);
  });

  test('open calls', async () => {
    const list = [...turns(20), user('Now.'), assistant([call('open_1'), call('open_2')])];
    const made = await compact(list, { budgetTokens: 800 });
    expect(made.history.slice(-2)).toEqual(list.slice(-2));
    expect(check(made.history).findings.map(({ rule }) => rule)).toEqual(check(list).findings.map(({ rule }) => rule));
  });

  test('the words of the system at the beginning', async () => {
    const chat = [
      system('Be kind.'),
      ...Array.from({ length: 40 }, (_, n) => [chatWords.user(`Question ${n}. ${words(4)}`), say('Answer.')]).flat(),
    ];
    const made = await compacted(chat, { budgetTokens: 600, target: 'openai-chat' });
    expect([made.history[0], isSummaryMessage(made.history[1], 'openai-chat')]).toEqual([chat[0], true]);
    expect(judge('openai-chat', made.history)).toEqual([]);
  });

  test('the prompt that a framework keeps beside the first words', async () => {
    const prompt = pydantic.instruction('Be kind.');
    const request = (n: number, ...more: object[]): object => pydantic.user(...more, `Question ${n}. ${words(4)}`);
    const response = pydantic.say('Answer.');
    const list = [request(0, prompt), ...Array.from({ length: 40 }, (_, n) => [response, request(n)]).flat()];
    let made = await compacted(list, { budgetTokens: 600, target: 'pydantic-ai' });
    made = await compacted([...made.history, response, request(50), response, request(51)], {
      budgetTokens: 300,
      target: 'pydantic-ai',
    });
    expect(made.history[0]).toHaveProperty('parts', [prompt, expect.objectContaining({ part_kind: 'user-prompt' })]);
    expect(isSummaryMessage(made.history[0])).toBe(true);
  });

  test('as many turns or messages as were asked for', async () => {
    const list = turns(20);
    const three = await compacted(list, { budgetTokens: 100, keep: { minTurns: 3 }, ladder: ['rule-summary'] });
    expect([three.history.slice(-12), three.report.met]).toEqual([list.slice(-12), false]);
    const ten = await compacted(list, { budgetTokens: 100, keep: { minMessages: 10 }, ladder: ['rule-summary'] });
    expect(ten.history.slice(-12)).toEqual(list.slice(-12));
  });
});

describe('what is to be kept of the end', () => {
  const list = [0, 1, 2].flatMap((n) => turn(n, 1, 400));
  const again = list.map((message) => JSON.parse(JSON.stringify(message).replaceAll('2/0.ts', '1/0.ts')) as object);
  const budgetTokens = estimateTokens(list.slice(4)) + 300;
  const prune = { protectTokens: 0, protectTurns: 0, minFreedTokens: 0 };

  test.each<[string, object[], CompactOptions]>([
    ['clamped', list, { budgetTokens }],
    ['emptied although it was read again', again, { budgetTokens, ladder: ['repeated-reads', 'rule-summary'] }],
    ['pruned', list, { budgetTokens, prune, ladder: ['prune', 'rule-summary'] }],
  ])('is not %s', async (_, input, options) => {
    for (const keep of [{ minTurns: 2 }, { minMessages: 8 }]) {
      const made = await compacted(input, { ...options, keep });
      expect(made.report.met).toBe(true);
      expect(made.history.slice(-8).every((message, index) => message === input[4 + index])).toBe(true);
    }
    const other = await compacted(input, options);
    expect([other.report.met, other.history.includes(input[6] ?? {})]).toEqual([true, false]);
  });

  test('is clamped where nothing else helps', async () => {
    const made = await compacted(list, { budgetTokens: 600, keep: { minTurns: 3 } });
    expect([made.report.met, made.history.length]).toEqual([true, list.length]);
  });
});

describe('a giant result in the newest turn', () => {
  test('is clamped, and ever harder while the budget asks for it', async () => {
    const list = [user('Read it.'), assistant([call('c1')]), user([result('c1', words(5000))])];
    const made = await compacted(list, { budgetTokens: 200 });
    expect([made.report.met, made.history.length, made.history[0]]).toEqual([true, 3, list[0]]);
    expect(steps(made)).toContainEqual(['clamp', 'done']);
    sound(made.history);
    const unclamped = await compacted(list, { budgetTokens: 200, ladder: ['rule-summary'] });
    expect([unclamped.changed, unclamped.report.met]).toEqual([false, false]);
    expect(unclamped.report.why).toContain('nothing that a summary could stand for');
    const pinned = await compacted(list, { budgetTokens: 200, pins: [2] });
    expect([pinned.changed, pinned.report.met]).toEqual([false, false]);
  });

  test('is clamped before an earlier step of the turn is given up', async () => {
    const list = [
      user('Go.'),
      ...turn(1, 3).slice(1, -1),
      assistant([call('big')]),
      user([result('big', words(3000))]),
    ];
    const made = await compacted(list, { budgetTokens: 1500 });
    expect([made.report.met, made.history.length]).toEqual([true, list.length]);
  });
});

describe('a model that binds its reasoning', () => {
  const thinking = (n: number): object[] => [
    user(`Instruction ${n}.`),
    assistant([thought(`t${n}`), call(`c${n}`)]),
    user([result(`c${n}`, words(20))]),
    assistant([thought(`u${n}`), text('Done.')]),
  ];
  const list = Array.from({ length: 12 }, (_, n) => thinking(n)).flat();

  test('loses it behind the first change, and that is reported', async () => {
    const made = await compacted(list, { budgetTokens: 700, target: { dialect: 'anthropic-messages' } });
    expect(JSON.stringify(made.history)).not.toContain('thinking');
    const gone = made.report.gone.filter(({ what }) => what === 'reasoning');
    expect(gone.at(-1)).toMatchObject({ from: list.length - 1, to: list.length });
    sound(made.history);
    const pruned = await compacted(list, { budgetTokens: 1500, prune: { protectTokens: 10, minFreedTokens: 10 } });
    expect(pruned.report.gone.filter(({ what }) => what === 'reasoning').at(-1)).toMatchObject({ to: list.length });
    expect(JSON.stringify(pruned.history[1])).toContain('thinking');
  });

  test('keeps it where the model does not', async () => {
    const model = 'claude-sonnet-4-5-20250929';
    const made = await compacted(list, { budgetTokens: 700, target: { dialect: 'anthropic-messages', model } });
    expect(JSON.stringify(made.history)).toContain('thinking');
  });

  test('is asked to stop thinking where the step that goes on has lost it, and undo asks it again', async () => {
    const messages = [...list, ...thinking(20).slice(0, 3)];
    const tools = [{ name: 'ls', input_schema: { type: 'object' } }];
    const body = { max_tokens: 64, thinking: { type: 'enabled', budget_tokens: 32 }, tools, messages };
    expect(check(body).verdict).toBe('clean');
    const made = await compacted(body, { budgetTokens: 700 });
    expect(made.report.repairs.map(({ rule }) => rule)).toEqual(['reasoning-missing']);
    expect([check(made.history).verdict, judge('anthropic-messages', made.history)]).toEqual(['clean', []]);
    expect(made.checkpoint?.around?.keys).toEqual(['max_tokens', 'thinking', 'tools', 'messages']);
  });
});

describe('what an unusual model asks of every answer', () => {
  const answering = (n: number): object[] => {
    const called = chatWords.call(`call_${n}`);
    return [
      chatWords.user(`Instruction ${n}.`),
      { role: 'assistant', content: 'I look.', reasoning_content: 'hm', tool_calls: [called] },
      chatWords.result(`call_${n}`, words(30)),
      { role: 'assistant', content: 'Done.', reasoning_content: 'so' },
    ];
  };
  const list = Array.from({ length: 20 }, (_, n) => answering(n)).flat();
  const target = { dialect: 'openai-chat', profile: { reasoningField: 'back' } } as const;

  test.each([
    ['a list', list],
    ['a history', decode(list, 'openai-chat')],
  ])('is put right in %s, and reported', async (_, input) => {
    expect(check(list, target).verdict).toBe('clean');
    const made = await compacted<unknown>(input, { budgetTokens: 900, target });
    expect(made.report.repairs.map(({ rule }) => rule)).toEqual(['reasoning-field-missing']);
    const [, acknowledged] = messagesIn(made.history);
    expect(JSON.stringify(acknowledged)).toContain('"reasoning_content":""');
  });
});
