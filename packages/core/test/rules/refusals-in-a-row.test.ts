import { describe, expect, test } from 'vitest';

import { judge } from '../../../simulator/src/judges/judge.ts';
import { prepare, repair } from '../../src/index.ts';

const thought = (words: string): object => ({ type: 'thinking', thinking: words, signature: 'c2lnbmVk' });
const said = (...content: readonly object[]): object => ({ role: 'assistant', content });
const text = (words: string): object => ({ type: 'text', text: words });

const history = (): unknown[] => [
  { role: 'user', content: 'One?' },
  said(thought('first thought'), text('One.')),
  { role: 'user', content: 'Two?' },
  said(thought('second thought'), text('Two.')),
  { role: 'user', content: 'Three?' },
];

const target = { dialect: 'anthropic-messages', model: 'claude-sonnet-4-5', purpose: 'request' } as const;
const modified = (place: string): string =>
  `${place}\`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified.`;

const thoughtsIn = (output: unknown): number => JSON.stringify(output).split('"type":"thinking"').length - 1;

describe('refusals that came one after the other', () => {
  test('are all heeded, and the newest is told', () => {
    const refusals = [modified('messages.1.content.0: '), modified('messages.3.content.0: ')];
    const one = repair(history(), target, { refusals: refusals.slice(0, 1) });
    expect(thoughtsIn(one.output)).toBe(1);
    const both = repair(history(), target, { refusals });
    expect(thoughtsIn(both.output)).toBe(0);
    expect(both.report.refusal).toMatchObject({ known: true, text: refusals[1], at: { message: 3, pointer: '/3' } });
    expect(both.report.repairs.map(({ at }) => at.message)).toEqual([1, 3]);
    expect(judge('anthropic-messages', both.output, target)).toEqual([]);
    const [first, second] = refusals;
    expect(repair(history(), target, { refusals: [first], refusal: second }).output).toEqual(both.output);
    expect(repair(history(), target, { refusals: [] })).toEqual(repair(history(), target));
  });

  test('name places in what the ones before them had made of it, and are told where these stood', () => {
    const lost = { type: 'item_reference', id: 'rs_1' };
    const items = [
      { role: 'user', content: 'One?' },
      lost,
      { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One.', annotations: [] }] },
      { role: 'user', content: 'Two?' },
    ];
    const refusals = [
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
      "Invalid 'input[1].content': array too long. Expected an array with maximum length 0, but got an array with length 1 instead.",
    ];
    const { report } = repair(items, { dialect: 'openai-responses', purpose: 'request' }, { refusals });
    expect(report.repairs[0]).toMatchObject({ rule: 'item-lost', at: { message: 1 } });
    expect(report.refusal).toMatchObject({ text: refusals[1], at: { message: 2, pointer: '/2' } });
  });

  test('are heeded for a stored session too', () => {
    const records = history().map((wire, index) => ({
      v: 1,
      seq: index + 1,
      id: `r${index}`,
      at: '2026-01-01T00:00:00.000Z',
      kind: 'message' as const,
      data: { dialect: 'anthropic-messages' as const, wire },
    }));
    const refusals = [modified('messages.1.content.0: '), modified('messages.3.content.0: ')];
    const { sendable } = prepare(records, target, { refusals });
    expect(thoughtsIn(sendable)).toBe(0);
  });
});

test('reasoning that was refused without a place is looked for everywhere', () => {
  const { output, report } = repair(history(), target, { refusal: modified('') });
  expect(thoughtsIn(output)).toBe(0);
  expect(report.repairs.map(({ rule }) => rule)).toEqual(['reasoning-after-edit', 'reasoning-after-edit']);
  expect(judge('anthropic-messages', output, target)).toEqual([]);
});

test('what is no list of refusals is as none, and a list without an end is heeded as far as it matters', () => {
  for (const refusals of [5, 'x', null, {}, [], [undefined]]) {
    expect(repair(history(), target, { refusals: refusals as never }).report.refusal).toBeUndefined();
  }
  const many = Array.from({ length: 20_000 }, () => modified('messages.1.content.0: '));
  expect(thoughtsIn(repair(history(), target, { refusals: many }).output)).toBeLessThan(thoughtsIn(history()));
});
