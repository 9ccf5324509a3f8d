import { describe, expect, test } from 'vitest';
import { check, repair, type Policy } from '../../src/index.ts';
import { prepareHistory } from '../../src/resume/index.ts';

const user = { role: 'user', content: 'q' };
const thought = (n: number, ...texts: string[]): object => ({
  type: 'reasoning',
  id: `rs_${String(n)}`,
  summary: texts.map((text) => ({ type: 'summary_text', text })),
  encrypted_content: 'e',
});
const call = (n: number): object => ({
  type: 'function_call',
  id: `fc_${String(n)}`,
  call_id: `c${String(n)}`,
  name: 'f',
  arguments: '{}',
});
const output = (n: number): object => ({ type: 'function_call_output', call_id: `c${String(n)}`, output: 'x' });
const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'k' }] };
const openOnly: Partial<Policy> = { openCall: 'remove', partialBatch: 'remove-open' };

function mended(list: readonly unknown[], policy: 'discard' | Partial<Policy>): readonly unknown[] {
  const result = repair(list, 'openai-responses', { policy }).output;
  expect(check(result, 'openai-responses').verdict).toBe('clean');
  return result;
}

describe('reasoning before a call that is removed goes with it', () => {
  test('where more reasoning follows, to which it does not belong', () => {
    expect(mended([user, thought(1), call(1), thought(2), said], 'discard')).toEqual([user, thought(2), said]);
    const kept = [user, thought(2), call(2), output(2)];
    const list = [user, thought(1), call(1), thought(2), call(2), output(2)];
    expect(mended(list, openOnly)).toEqual(kept);
    expect(prepareHistory(list)).toEqual(kept);
  });

  test('with all that was thought for it, and for a whole batch', () => {
    const run = [user, thought(1), thought(2), call(1), thought(3), said];
    expect(mended(run, 'discard')).toEqual([user, thought(3), said]);
    const batch = [user, thought(1), call(1), call(2), thought(2), said, output(2)];
    expect(mended(batch, 'discard')).toEqual([user, thought(2), said]);
  });

  test('as text, where it can be read, and the report says so', () => {
    const list = [user, thought(1, 'hm'), call(1), thought(2), said];
    const { output: rest, report } = repair(list, 'openai-responses', { policy: 'discard' });
    expect(rest).toEqual([user, { role: 'assistant', content: '[interrupted reasoning]\nhm' }, thought(2), said]);
    expect(report.repairs.map(({ note }) => note)).toEqual([
      'removed call c1 to f, which has no result, and set aside the reasoning that led to it',
    ]);
  });

  test('and stays before a call that stays', () => {
    const list = [user, thought(1), call(1), call(2), output(2)];
    expect(mended(list, openOnly)).toEqual([user, thought(1), call(2), output(2)]);
    const first = [user, call(1), thought(2), said];
    expect(mended(first, 'discard')).toEqual([user, thought(2), said]);
    expect(mended(first.slice(1), 'discard')).toEqual([thought(2), said]);
  });
});
