import { expect, test } from 'vitest';

import { runFuzz } from './run.ts';

test('mutated files throw nothing, hang nothing, and lose no line unreported', async () => {
  const { problems, recognised, messages } = await runFuzz({ seed: 1, count: 200 });
  expect(problems).toEqual([]);
  expect(recognised).toBeGreaterThan(100);
  expect(messages).toBeGreaterThan(100);
});
