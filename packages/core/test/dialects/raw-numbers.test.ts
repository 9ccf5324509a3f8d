import { describe, expect, test } from 'vitest';
import { isDialect } from '../../src/model/dialect.ts';
import { examplesOf } from '../../src/examples.ts';
import { contractOf } from '../../src/target.ts';
import { PROFILES } from '../../src/dialects/profiles.ts';
import { compact, convert, repair } from '../../src/index.ts';
import { isRaw } from '../../src/model/value.ts';

declare global {
  interface JSON {
    rawJSON(text: string): object;
  }
}

/** More digits than a number of the language keeps, and a number that it does. */
const long = '97531864209753186421';
const short = '4242424242';
const raw = JSON.rawJSON(long);

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const holders = new Set(['input', 'args', 'arguments', 'response', 'result', 'output', 'metadata', 'usage']);

/** The same value with numbers in everything that calls and results hold. */
function planted(value: unknown, number: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => planted(each, number));
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => {
      const inner = planted(each, number);
      const holds = holders.has(key) && isFields(inner);
      return [key, holds ? { ...inner, n: number, deep: { list: [number, { '': number }] } } : inner];
    }),
  );
}

/** The same list with numbers under keys that no dialect knows. */
const withKeys = (list: readonly unknown[], number: unknown): readonly unknown[] =>
  list.map((each) => (isFields(each) ? { ...each, x_number: number, x_more: { number } } : each));

const dialects = Object.keys(PROFILES).filter(isDialect);

const inputs = [...new Set(dialects.flatMap((dialect) => contractOf(dialect).rules))].flatMap((rule) =>
  examplesOf(rule.id).flatMap((example) => {
    const input = 'before' in example ? example.before : example.clean;
    const { dialect, model } = example;
    if (!Array.isArray(input) || !isDialect(dialect)) return [];
    const target = { dialect, ...(model === undefined ? {} : { model }) };
    const list: readonly unknown[] = input;
    return [
      { target, of: (number: unknown) => planted(list, number) as readonly unknown[] },
      { target, of: (number: unknown) => withKeys(list, number) },
    ];
  }),
);

/** Ids that are made from the content differ as the content does; other things than numbers may be without JSON. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))
    .replaceAll(long, short)
    .replaceAll(/msg_[0-9a-z]{14}/g, 'msg');

describe('a number that is kept as its text is treated like any other', () => {
  test('by a repair, with either policy', () => {
    for (const { target, of } of inputs) {
      for (const policy of ['preserve', 'discard'] as const) {
        const [one, two] = [of(raw), of(Number(short))].map((input) => repair<unknown>(input, target, { policy }));
        expect(textOf(one?.output)).toBe(textOf(two?.output));
        expect(one?.report.verdict).toBe(two?.report.verdict);
      }
    }
  });

  test.each(dialects)('by a conversion to %s', (to) => {
    for (const { target, of } of inputs) {
      const [one, two] = [of(raw), of(Number(short))].map((input) => convert(input, { from: target.dialect, to }));
      expect(textOf(one?.output)).toBe(textOf(two?.output));
    }
  });

  test('by a compaction', async () => {
    for (const { target, of } of inputs) {
      const { history } = await compact(of(raw), { budgetTokens: 30, at: '2026-01-01T00:00:00Z', target });
      expect(textOf(history)).not.toContain('rawJSON');
    }
  });
});

test('nothing else is taken for one', () => {
  expect([raw, { rawJSON: long }, 1, long, null, undefined].map(isRaw)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
