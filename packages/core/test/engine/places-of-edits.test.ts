import { describe, expect, test } from 'vitest';
import { repair, RESULT_TEXTS, type Repaired } from '../../src/index.ts';
import { TEXTS } from '../../src/model/synthetic.ts';

const rules = ({ report }: Repaired<unknown>): string[] => report.repairs.map(({ rule }) => rule);

describe('results that an edit puts beside words get a message of their own in the same round', () => {
  const user = (...content: object[]): object => ({ role: 'user', content });
  const assistant = (...content: object[]): object => ({ role: 'assistant', content });
  const text = (words: string): object => ({ text: words });
  const call = (toolUseId: string): object => ({ toolUse: { toolUseId, name: 'ls', input: {} } });
  const result = (toolUseId: string): object => ({ toolResult: { toolUseId, content: [{ text: toolUseId }] } });
  const closed = (toolUseId: string): object => ({
    toolResult: { toolUseId, content: [{ text: RESULT_TEXTS.unknown }], status: 'error' },
  });
  const called = [user(text('list')), assistant(call('a'), call('b'))];
  const pause = assistant(text(TEXTS.separator));
  const mend = (given: unknown[]): Repaired<unknown[]> => repair(given, 'bedrock-converse');

  test('when calls are closed before what the user says', () => {
    const mended = mend([...called, user(text('well?'))]);
    expect(mended.output).toEqual([...called, user(closed('a'), closed('b')), pause, user(text('well?'))]);
    expect(rules(mended)).toEqual(['call-without-result', 'call-without-result', 'results-mixed']);
    expect(mended.report.passes).toBe(2);
  });

  test('when a result without a call is quoted among others', () => {
    const mended = mend([...called, user(result('a'), result('x'), result('b')), assistant(text('ok'))]);
    const quoted = user(text(`${TEXTS.orphan} x`));
    expect(mended.output).toEqual([...called, user(result('a'), result('b')), pause, quoted, assistant(text('ok'))]);
    expect(mended.report.repairs.map(({ rule, loss }) => [rule, loss])).toEqual([
      ['result-without-call', 'none'],
      ['results-mixed', 'synthetic'],
    ]);
    expect(mended.report.passes).toBe(2);
  });

  test('but not before messages of one role are one message', () => {
    const mended = mend([...called, user(text('one')), user(text('two')), assistant(text('ok'))]);
    expect(mended.output).toEqual([
      ...called,
      user(closed('a'), closed('b')),
      pause,
      user(text('one'), text('two')),
      assistant(text('ok')),
    ]);
    expect(rules(mended).slice(-2)).toEqual(['same-role-run', 'results-mixed']);
  });

  test('but not while the calls of the results may have to go', () => {
    const given = [...called, user(result('a'), text('one'), result('x')), assistant(text('ok'))];
    const { output } = repair(given, 'bedrock-converse', { policy: 'discard' });
    expect(output).toEqual([user(text('one')), assistant(text('ok'))]);
  });

  test('but not where the request at the end of the list may have to go', () => {
    const given = [...called, user(text('one')), user(result('a'), result('b'))];
    const options = { policy: 'discard', next: 'user' } as const;
    const { output } = repair(given, 'bedrock-converse', options);
    expect(output).toEqual([...called, user(result('a'), result('b')), pause, user(text('one')), pause]);
  });
});

describe('an answer is put between results and the user in the round that brings them together', () => {
  const user = (content: string): object => ({ role: 'user', content });
  const assistant = (content: string): object => ({ role: 'assistant', content });
  const result = (id: string, content = id): object => ({ role: 'tool', tool_call_id: id, content });
  const call = (id: string): object => ({ id, type: 'function', function: { name: 'ls', arguments: '{}' } });
  const [a, b, x] = ['aaaaaaaaa', 'bbbbbbbbb', 'xxxxxxxxx'];
  const called = [user('list'), { role: 'assistant', content: '', tool_calls: [call(a), call(b)] }];
  const pause = assistant(TEXTS.separator);
  const mend = (given: unknown[]): Repaired<unknown[]> => repair(given, 'mistral-chat');

  test('when a call is closed before what the user says', () => {
    const mended = mend([...called, result(a), user('well?')]);
    expect(mended.output).toEqual([...called, result(a), result(b, RESULT_TEXTS.unknown), pause, user('well?')]);
    expect(rules(mended)).toEqual(['call-without-result', 'user-after-tool']);
    expect(mended.report.passes).toBe(2);
  });

  test('when results move before what the user says', () => {
    const mended = mend([...called, user('wait'), result(a), result(b), assistant('ok')]);
    expect(mended.output).toEqual([...called, result(a), result(b), pause, user('wait'), assistant('ok')]);
    expect(mended.report.passes).toBe(2);
  });

  test('when a result without a call is quoted behind the others', () => {
    const mended = mend([...called, result(a), result(b), result(x), assistant('ok')]);
    const quoted = user(`${TEXTS.orphan} ${x}`);
    expect(mended.output).toEqual([...called, result(a), result(b), pause, quoted, assistant('ok')]);
    expect(rules(mended)).toEqual(['result-without-call', 'user-after-tool']);
    expect(mended.report.passes).toBe(2);
  });
});
