import { expect, test } from 'vitest';
import { repair } from '@rethread/core';
import { throwing, throwingInLists } from '../throwing-values.ts';

const user = { role: 'user', content: 'Hello.' };

test.each([...throwing, ...throwingInLists])('a refusal with %s in it is read as far as it can be', (_, value) => {
  const known = 'messages: at least one message is required';
  for (const refusal of [value, [value], { error: value }]) {
    expect(repair([user], 'anthropic-messages', { refusal }).report.verdict).toBe('clean');
  }
  const { report } = repair([user], 'anthropic-messages', { refusal: [value, known] });
  expect(report.refusal?.text).toContain(known);
  const refusals = value as readonly unknown[];
  expect(repair([user], 'anthropic-messages', { refusals, refusal: known }).report.refusal?.text).toBe(known);
});

test('a list of refusals that says it is very long is read from its end', () => {
  const refusals = new Proxy([], { get: (target, key) => (key === 'length' ? 1e9 : Reflect.get(target, key)) });
  const { report } = repair([user], 'anthropic-messages', { refusals, refusal: 'no such thing' });
  expect(report.refusal?.text).toBe('no such thing');
});
