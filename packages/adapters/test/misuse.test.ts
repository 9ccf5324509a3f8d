import type { Report } from '@rethread/core';
import { expect, test } from 'vitest';

import { repairModelMessages, repairUIMessages } from '../src/ai-sdk.ts';
import { loadTokenCounter } from '../src/gpt-tokenizer.ts';
import { repairMessages } from '../src/langchain.ts';
import { createAccumulator } from '../src/loop.ts';
import { repairingSession } from '../src/openai-agents.ts';

const odd = <T>(value: unknown): T => value as T;

test.each([null, undefined, 5, 'x', {}])('what is no list of messages comes back as it is, reported: %j', (given) => {
  const reports: Report[] = [];
  const onReport = (report: Report): void => void reports.push(report);
  for (const repair of [repairModelMessages, repairUIMessages]) {
    for (const options of [{ onReport }, { onReport, allowSystemInMessages: true }]) {
      const { messages, lifted, report } = repair(odd<unknown[]>(given), options);
      expect([messages, lifted, report.verdict]).toEqual([given, [], 'broken']);
    }
  }
  const { messages, report } = repairMessages(odd(given), { onReport });
  expect([messages, report.verdict]).toEqual([given, 'broken']);
  expect(reports).toHaveLength(5);
});

test('a word that nobody knows is refused in a sentence that says which there are', async () => {
  for (const dialect of ['klingon', 'toString', undefined, null, 5]) {
    expect(() => createAccumulator(odd(dialect))).toThrow(/there is no stream of .*: there are anthropic-messages, /);
  }
  await expect(loadTokenCounter(odd('klingon'))).rejects.toThrow(/"klingon".*o200k_base, cl100k_base/);
  for (const source of [null, undefined, 5, 'x', {}]) {
    expect(() => repairingSession(odd(source))).toThrow(/a session stands on a list, a store/);
  }
});
