import { describe, expect, test } from 'vitest';
import { before, cuts, fromTurn, lastTurns, page, splitHead, turns } from '@rethread/core';
import { removeDanglingToolCalls, removeIncompleteToolCalls, stripSystemPromptParts } from '@rethread/core/resume';
import { throwing, throwingInLists } from '../throwing-values.ts';

const user = { role: 'user', content: 'Hello.' };
const system = { part_kind: 'system-prompt', content: 'Be brief.' };
const noLists = [null, undefined, 5, 'text', {}].map((value) => [JSON.stringify(value) ?? 'nothing', value] as const);

/** A proxy must not be compared part by part. */
const isSame = (one: unknown, two: unknown): boolean => Object.is(one, two);

describe.each([...throwing, ...throwingInLists])('%s', (_, value) => {
  test('is no reason for a cleaning function to throw', () => {
    const list = value as readonly unknown[];
    expect(isSame(stripSystemPromptParts(list), list)).toBe(true);
    expect(() => removeIncompleteToolCalls(list)).not.toThrow();
    expect(() => removeIncompleteToolCalls(user, list as readonly string[])).not.toThrow();
    expect(() => removeDanglingToolCalls([user], {}, list as readonly string[])).not.toThrow();
  });
});

test('a part that throws keeps no system prompt beside it', () => {
  for (const [, part] of throwing) expect(stripSystemPromptParts([system, part])).toHaveLength(1);
});

describe.each([...throwing, ...noLists])('%s, which is no list that can be divided', (_, value) => {
  test('comes back as it is', () => {
    expect([turns(value), cuts(value)]).toEqual([[], []]);
    const { head, tail } = splitHead(value);
    const parts = [head, tail, lastTurns(value, 1), lastTurns(value, 0), fromTurn(value, 1), before(value, 0)];
    expect(parts.map((part) => isSame(part, value))).toEqual(parts.map(() => true));
    const { messages, next, hasMore } = page(value, { minMessages: 1 });
    expect([isSame(messages, value), next, hasMore]).toEqual([true, undefined, false]);
  });
});
