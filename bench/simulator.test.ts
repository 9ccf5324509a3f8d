import { judge } from '@rethread/simulator';
import { describe, expect, test } from 'vitest';
import type { SimulatorTimings } from './simulator-client.ts';
import { benchApis, countMessages, createRequest, requestMessages } from './simulator-requests.ts';
import { judgeSimulators } from './simulator-suite.ts';

const took = (ms: number): SimulatorTimings['bare'] => ({ min: ms, median: ms, rounds: 1 });
const timings = (judgedMs: number): SimulatorTimings => {
  return { api: 'gemini', bytes: 1, batch: 1, judged: took(judgedMs), bare: took(1), clientBusy: 0 };
};

test.each([
  [1.9, 'pass'],
  [2, 'pass'],
  [2.1, 'miss'],
  [NaN, 'miss'],
])('a judged request that takes %d times a bare one is a %s', (ms, verdict) => {
  expect(judgeSimulators([timings(ms)])[0]).toMatchObject({ bar: 0.5, sense: 'at least', verdict });
});

describe.each(benchApis)('the request to %s', (api) => {
  const options = { whole: true, model: api === 'gemini' ? 'gemini-2.5-pro' : undefined };

  test('is accepted, and refused without the last result', () => {
    expect(judge(api, createRequest(api, 1).body, options)).toEqual([]);
    expect(judge(api, createRequest(api, 1, 'unanswered').body, options)).not.toEqual([]);
  });
});

test('the history has the number of messages that the target names', () => {
  expect(countMessages(1)).toBe(requestMessages);
});
