import { compact, estimateTokens } from '@rethread/core';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { beforeAll, expect, test } from 'vitest';

import { loadTokenCounter } from '../src/gpt-tokenizer.ts';

let count: Awaited<ReturnType<typeof loadTokenCounter>>;

beforeAll(async () => {
  count = await loadTokenCounter();
});

test.each([
  ['prose', 'A call that was never answered makes every later request fail, until somebody repairs the history.'],
  [
    'code',
    'export const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);\n\treturn 0x1F;',
  ],
  ['other scripts', 'Сессия прервана. 会話が途切れました。 الجلسة انقطعت 🙂👋🏽'],
  ['nothing', ''],
  ['half a pair', 'cut \ud83d here'],
  ['a thousand digits', '1234567890'.repeat(100)],
])('%s is counted exactly', (_, text) => {
  expect(count(text)).toBe(countTokens(text));
});

test('what looks like a control token is counted as text', () => {
  expect(count('<|endoftext|>')).toBeGreaterThan(3);
});

test('the older vocabulary counts otherwise', async () => {
  const older = await loadTokenCounter('cl100k_base');
  const text = 'Это предложение написано по-русски, и старый словарь знает меньше таких слов.';
  expect(older(text)).toBeGreaterThan(count(text));
});

test.each(['a', ' ', '\n', '-', '字', '🙂', 'é '])(
  '100 000 times %j is counted in time, and within a tenth',
  (symbol) => {
    const started = performance.now();
    const counted = count(symbol.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(5_000);
    const exact = countTokens(symbol.repeat(1_024)) * (100_000 / 1_024);
    expect(counted / exact).toBeGreaterThan(0.9);
    expect(counted / exact).toBeLessThan(1.1);
  },
);

test('it counts for core, whoever asks', async () => {
  const messages = [
    { role: 'user', content: 'Which file is the longest?' },
    { role: 'assistant', content: 'I shall look.' },
  ];
  expect(estimateTokens('Which file is the longest?', undefined, count)).toBe(6);
  expect(estimateTokens(messages, 'openai-chat', count)).toBeGreaterThan(10);
  const { report } = await compact(messages, { budgetTokens: 1_000, count, target: 'openai-chat' });
  expect(report.tokensBefore).toBe(estimateTokens(messages, 'openai-chat', count));
});
