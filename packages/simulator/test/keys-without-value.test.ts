import { expect, test } from 'vitest';
import { judge } from '../src/index.ts';

test('a key without a value, which JSON does not write, is none that a host refuses', () => {
  const body = (more: object): object => ({
    model: 'groq/llama-3.3-70b-versatile',
    messages: [{ role: 'user', content: 'hi', ...more }],
  });
  expect(judge('openai-chat', body({ extra: undefined }))).toEqual([]);
  expect(judge('openai-chat', body({ extra: 1 })).map(({ row }) => row)).toEqual(['gq-strict']);
});
