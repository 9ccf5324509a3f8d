import { describe, expect, test } from 'vitest';
import { repair, RESULT_TEXTS, type Dialect } from '../../src/index.ts';
import { chat as chatWords, responses } from '../words.ts';

const user = responses.user('read');
const call = (id: string, callId: string, more: object = {}): object => ({
  type: 'function_call',
  id,
  call_id: callId,
  name: 'read',
  arguments: '{}',
  ...more,
});
const output = (callId: string, text = 'A'): object => responses.result(callId, text);
const closed = (callId: string): object => output(callId, RESULT_TEXTS.unknown);
const withoutId = (callId: string): object => responses.call(callId);

const mended = (list: readonly unknown[], dialect: Dialect = 'openai-responses'): unknown =>
  repair(list, dialect).output;

describe('a call that was stored twice', () => {
  const twice = [user, call('fc_1', 'call_1'), call('fc_1', 'call_1'), output('call_1')];

  test('loses the id of its entry, gets another call id and is closed', () => {
    const after = [user, call('fc_1', 'call_1'), withoutId('call_1_2'), output('call_1'), closed('call_1_2')];
    expect(mended(twice)).toEqual(after);
    expect(mended(after)).toBe(after);
  });

  test('is made distinct and closed in one round, which the report tells in full', () => {
    const { passes, repairs, findings } = repair(twice, 'openai-responses').report;
    expect(passes).toBe(3);
    expect(findings.map(({ rule }) => rule)).toEqual([
      'item-id-again',
      'duplicate-call-id',
      'call-answered-by-another',
    ]);
    expect(repairs.map(({ rule, note }) => [rule, note])).toEqual([
      ['duplicate-call-id', 'renamed a repeated call call_1 to call_1_2 and removed the id of an earlier entry'],
      ['call-answered-by-another', expect.stringContaining('call_1_2')],
    ]);
  });

  test('is closed behind the calls that keep their ids', () => {
    const other = call('fc_2', 'call_2');
    expect(mended([user, call('fc_1', 'call_1'), call('fc_1', 'call_1'), other, output('call_1')])).toEqual([
      user,
      call('fc_1', 'call_1'),
      withoutId('call_1_2'),
      other,
      output('call_1'),
      closed('call_2'),
      closed('call_1_2'),
    ]);
  });

  test('waits for its result where the first of the two has none either', () => {
    expect(mended([user, call('fc_1', 'call_1'), call('fc_1', 'call_1')])).toEqual([
      user,
      call('fc_1', 'call_1'),
      withoutId('call_1_2'),
      closed('call_1'),
      closed('call_1_2'),
    ]);
  });

  test('is quoted where no text can close it', () => {
    const click = { type: 'computer_call', id: 'cu_1', call_id: 'call_1', action: { type: 'click' } };
    const screen = { type: 'computer_call_output', call_id: 'call_1', output: { type: 'computer_screenshot' } };
    const { output: after, report } = repair([user, click, click, screen], 'openai-responses');
    expect(after.slice(0, 2)).toEqual([user, click]);
    expect(after[2]).toMatchObject({
      role: 'assistant',
      content: expect.stringContaining('[computer_call]') as string,
    });
    expect(report.verdict).toBe('repaired');
  });

  test('under an id that cannot be sent is first given one that can', () => {
    const long = 'a'.repeat(70);
    const after = mended([user, call('fc_1', long), call('fc_1', long), output(long)]) as { call_id?: string }[];
    const ids = after.slice(1).map((entry) => entry.call_id ?? '');
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.length <= 64)).toBe(true);
  });
});

describe('entries with one id that are not one call', () => {
  test.each([
    [
      'a call beside a text',
      [{ ...user, id: 'fc_1', role: 'assistant', content: 'a' }, call('fc_1', 'call_1'), output('call_1')],
    ],
    ['two calls', [user, call('fc_1', 'call_1'), call('fc_1', 'call_2'), output('call_1'), output('call_2')]],
    ['calls of two steps', [user, call('fc_1', 'call_1'), output('call_1'), call('fc_1', 'call_1'), output('call_1')]],
  ])('only lose it: %s', (_name, list) => {
    const { report } = repair(list, 'openai-responses');
    expect(report.verdict).toBe('repaired');
    expect(report.repairs.map(({ rule }) => rule)).toContain('item-id-again');
    expect(report.repairs.map(({ rule }) => rule)).not.toContain('duplicate-call-id');
  });

  test('what stands in for an id is none, and stays', () => {
    const twin = {
      type: 'function_call',
      id: 'FAKE_ID',
      callId: 'call_1',
      name: 'read',
      arguments: '{}',
      status: 'completed',
    };
    const result = (callId: string): object => ({
      type: 'function_call_result',
      name: 'read',
      callId,
      status: 'completed',
      output: 'A',
    });
    const after = mended([user, twin, twin, result('call_1'), result('call_1')], 'openai-agents');
    expect(after).toEqual([user, twin, { ...twin, callId: 'call_1_2' }, result('call_1'), result('call_1_2')]);
  });
});

describe('a repeated call waits while something else about its step is in doubt', () => {
  const chat = (...ids: string[]): object => ({
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id) => chatWords.call(id)),
  });
  const answer = (id: string, content = 'A'): object => chatWords.result(id, content);
  const unknown = (id: string): object => answer(id, RESULT_TEXTS.unknown);
  const passes = (list: readonly unknown[]): number => repair(list, 'openai-chat').report.passes;
  const many = Array.from({ length: 65 }, (_, i) => `call_x${String(i)}`);

  test('nothing is: it is renamed and closed in one round', () => {
    const list = [user, chat('call_1', 'call_1'), answer('call_1')];
    expect(passes(list)).toBe(2);
    expect(mended(list, 'openai-chat')).toEqual([
      user,
      chat('call_1', 'call_1_2'),
      answer('call_1'),
      unknown('call_1_2'),
    ]);
  });

  test('so are calls of another id that is repeated', () => {
    const list = [user, chat('call_1', 'call_1', 'call_2', 'call_2'), answer('call_1')];
    expect(passes(list)).toBe(2);
    expect(mended(list, 'openai-chat')).toEqual([
      user,
      chat('call_1', 'call_1_2', 'call_2', 'call_2_2'),
      answer('call_1'),
      ...['call_1_2', 'call_2', 'call_2_2'].map((id) => unknown(id)),
    ]);
  });

  test.each([
    ['a result of another call', [chat('call_1', 'call_1'), answer('call_1'), answer('call_9')]],
    ['a result without an id', [chat('call_1', 'call_1'), answer('call_1'), answer('')]],
    ['a result out of its place', [chat('call_1', 'call_1'), user, answer('call_1')]],
    [
      'more calls than are looked through',
      [chat('call_1', 'call_1', ...many), answer('call_1'), ...many.map((id) => answer(id))],
    ],
    [
      'more results than are looked through',
      [chat('call_1', 'call_1'), answer('call_1'), ...many.map((id) => answer(id))],
    ],
  ])('%s', (_name, step) => {
    const { output: after, report } = repair([user, ...step], 'openai-chat');
    expect(report.verdict).toBe('repaired');
    expect(report.passes).toBeGreaterThan(2);
    expect(JSON.stringify(after)).toContain('"tool_call_id":"call_1_2"');
    expect(mended(after, 'openai-chat')).toBe(after);
  });
});
