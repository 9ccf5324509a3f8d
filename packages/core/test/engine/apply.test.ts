import { describe, expect, test } from 'vitest';
import { repair, RESULT_TEXTS, type Repair } from '../../src/index.ts';
import { assistant, call, result, text, thought, user } from '../anthropic-wire.ts';

const dialect = 'anthropic-messages';
const FREE = { dialect, profile: { reasoningBound: false, reasoningFirst: false } } as const;
const ALTERNATING = { dialect, profile: { alternation: true } } as const;
const brief = (repairs: readonly Repair[]): string[] => repairs.map(({ rule, at }) => `${rule} ${at.pointer}`);
const closed = (id: string): object => ({ ...result(id, RESULT_TEXTS.unknown), is_error: true });

describe('reasoning parts', () => {
  test('that were neighbours stay neighbours when their message is edited', () => {
    const input = [user('go'), assistant([thought('a'), thought('b'), text(' '), text('done')])];
    const { output } = repair(input, FREE);
    expect(output).toEqual([user('go'), assistant([thought('a'), thought('b'), text('done')])]);
  });

  test('that were apart do not become neighbours', () => {
    const input = [user('go'), assistant([thought('a'), text(''), thought('b'), text('done')])];
    const { output, report } = repair(input, FREE);
    expect(output).toEqual([user('go'), assistant([thought('a'), text('(no content)'), thought('b'), text('done')])]);
    const { loss, note } = report.repairs[0] ?? {};
    expect([loss, note]).toEqual([
      'lossy',
      'removed a text part without text, and put (no content) between reasoning that would have met',
    ]);
  });

  test('that a call kept apart do not become neighbours when it moves behind them, answered or not', () => {
    const options = { dialect, model: 'claude-sonnet-4-5' } as const;
    const parts = [thought('a'), call('c1'), thought('b'), call('c2')];
    const apart = assistant([thought('a'), text('(no content)'), thought('b'), call('c1'), call('c2')]);
    const results = user([result('c1', 'A'), result('c2', 'B')]);
    const grown = repair([user('go'), assistant(parts), results], options);
    expect(grown.output).toEqual([user('go'), apart, results]);
    expect(grown.report.repairs.map(({ loss, note }) => [loss, note.includes('(no content)')])).toEqual([
      ['synthetic', true],
    ]);
    expect((repair([user('go'), assistant(parts)], options).output as unknown[])[1]).toEqual(apart);
  });

  test('that were apart do not become neighbours when they move to the front of their message', () => {
    const input = [user('go'), assistant([text('x'), thought('a'), text('y'), thought('b'), text('done')])];
    const { output } = repair(input, { dialect, profile: { reasoningBound: false, reasoningFirst: true } });
    const front = [thought('a'), text('(no content)'), thought('b')];
    expect(output).toEqual([user('go'), assistant([...front, text('x'), text('y'), text('done')])]);
  });

  test('that were apart do not become neighbours in a message that is also rewritten', () => {
    const parts = [thought('a'), text(''), thought('b'), text('done')];
    const { output } = repair([user('go'), { ...assistant(parts), note: 1 }], {
      dialect,
      profile: { ...FREE.profile, unknownKeys: 'strip' },
    });
    expect(output).toEqual([user('go'), assistant([thought('a'), text('(no content)'), thought('b'), text('done')])]);
  });

  test('of two messages that are joined are kept apart', () => {
    const input = [user('go'), assistant([thought('a')]), assistant([thought('b'), text('done')])];
    const { output, report } = repair(input, FREE);
    expect(output).toEqual([user('go'), assistant([thought('a'), text('(no content)'), thought('b'), text('done')])]);
    expect(brief(report.repairs)).toEqual(['reasoning-last /1/content/0']);
    expect(report.repairs.map(({ loss, note }) => [loss, note.includes('(no content)')])).toEqual([
      ['synthetic', true],
    ]);
    expect(report.preserved.ratio).toBe(1);
  });
});

describe('a text that keeps reasoning apart', () => {
  const parts = [thought('a'), text(''), thought('b'), text('x'), text(' '), text('done')];

  test('is told by the first change of its message alone, and not by those of others', () => {
    const input = [user([text('go'), text('')]), assistant(parts)];
    const { report } = repair({ messages: input, model: 'claude-sonnet-4-5', max_tokens: 8, tools: [{}] }, FREE);
    const told = report.repairs.filter(({ note }) => note.includes('(no content)'));
    expect(brief(told)).toEqual(['blank-text /messages/1/content/1']);
    expect(report.repairs.length).toBeGreaterThan(2);
  });
});

describe('a message we put in', () => {
  const input = [user('go'), assistant([call('c1')]), user('half \ud83d'), assistant('Yes?')];

  test('stands by itself where the next message is rewritten in the same round', () => {
    const { output, report } = repair(input, { dialect, profile: { reasoningBound: false } });
    expect(output).toEqual([...input.slice(0, 2), user([closed('c1')]), user('half \ufffd'), assistant('Yes?')]);
    expect(brief(report.repairs)).toEqual(['lone-surrogate /2/content', 'call-without-result /1/content/0']);
  });

  test('is joined with the next where roles must alternate', () => {
    const { output, report } = repair(input, ALTERNATING);
    expect(output).toEqual([...input.slice(0, 2), user([closed('c1'), text('half \ufffd')]), assistant('Yes?')]);
    expect(brief(report.repairs).at(-1)).toBe('same-role-run /2');
    expect(report.preserved.ratio).toBe(1);
  });

  test('is counted as a change of the message before it', () => {
    const bound = [...input, assistant([thought('so'), text('Well.')])];
    const { output, report } = repair(bound, { dialect, profile: { reasoningBound: true } });
    expect((output as unknown[]).at(-1)).toEqual(assistant([text('Well.')]));
    expect(report.repairs.at(-1)).toEqual({
      rule: 'reasoning-after-edit',
      at: { message: 4, part: 0, pointer: '/4/content/0' },
      action: 'drop',
      loss: 'lossy',
      note: 'reasoning bound to the bytes before it was dropped, because those bytes had to change',
    });
  });
});

test('what is found in a message we put together is reported at the message before it', () => {
  const mark = { cache_control: { type: 'ephemeral' } };
  const input = [
    user('go'),
    assistant([call('c1'), call('c2')]),
    assistant('y'),
    user([{ ...result('c1'), ...mark }]),
    assistant('z'),
    user([{ ...result('c2'), ...mark }, ...['a', 'b', 'c', 'd'].map((each) => ({ ...text(each), ...mark }))]),
  ];
  const { output, report } = repair(input, FREE);
  expect(output).toEqual([
    ...input.slice(0, 2),
    user([result('c1'), result('c2')]),
    assistant('y'),
    assistant('z'),
    user(['a', 'b', 'c', 'd'].map((each) => ({ ...text(each), ...mark }))),
  ]);
  expect(brief(report.repairs)).toEqual([
    'result-displaced /3/content/0',
    'result-displaced /5/content/0',
    'too-many-cache-markers /1',
    'too-many-cache-markers /1',
  ]);
});

describe('reasoning bound to its prefix', () => {
  const bound = { dialect, profile: { reasoningBound: true } } as const;

  test('stays where the change comes after it', () => {
    const input = [user('go'), assistant([thought('a'), text('ok'), text('')]), user('b')];
    const { output } = repair(input, bound);
    expect(output).toEqual([user('go'), assistant([thought('a'), text('ok')]), user('b')]);
  });

  test('goes where the change comes before it in its own message', () => {
    const input = [user('go'), assistant([text(''), thought('a'), text('ok')]), user('b')];
    const { output } = repair(input, { dialect, profile: { reasoningBound: true, reasoningFirst: false } });
    expect(output).toEqual([user('go'), assistant([text('ok')]), user('b')]);
  });

  test('stays where nothing but the system prompt has left the list', () => {
    const input = [{ role: 'system', content: 'Be brief.' }, user('go'), assistant([thought('a'), text('ok')])];
    const { output, lifted, report } = repair(input, bound);
    expect(output).toEqual(input.slice(1));
    expect(lifted).toEqual([input[0]]);
    expect(brief(report.repairs)).toEqual(['system-first /0']);
  });

  test('stays where only keys that the provider never took are removed', () => {
    const input = [{ ...user('go'), stamp: 1 }, assistant([thought('a'), text('ok')])];
    expect(repair(input, bound).output).toEqual([user('go'), assistant([thought('a'), text('ok')])]);
  });
});

test('a message of a class that cannot be copied as one of its class is copied as plain data', () => {
  class Human {
    readonly content = 'hi';
    readonly size = 10n;
    get extra(): never {
      throw new Error('not now');
    }
    getType(): string {
      return 'human';
    }
  }
  const hostile = new Human();
  Object.defineProperty(hostile, 'own', { enumerable: true, get: () => hostile.extra });
  const { output, report } = repair([hostile], 'langchain');
  expect(report.verdict).toBe('repaired');
  expect(() => JSON.stringify(output)).not.toThrow();
  expect(JSON.stringify(output)).toContain('hi');
});
