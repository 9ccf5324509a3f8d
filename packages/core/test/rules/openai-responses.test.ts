import { describe, expect, test } from 'vitest';
import { check, createChecker, repair, RESULT_TEXTS, type Finding } from '../../src/index.ts';

const dialect = 'openai-responses';
const user = (content: string): object => ({ role: 'user', content });
const call = (id: unknown, more: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...more,
});
const output = (id: unknown, text = 'A', more: object = {}): object => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
  ...more,
});
const custom = (id: string): object => ({ type: 'custom_tool_call', call_id: id, name: 'sh', input: 'ls' });
const listed = (id: string): object => ({ type: 'custom_tool_call_output', call_id: id, output: 'ls' });
const closed = (id: string): object => output(id, RESULT_TEXTS.unknown);
const mended = (input: unknown[]): unknown[] => repair(input, dialect).output;

describe('calls and outputs that find each other anywhere', () => {
  test('an output answers a call of its own step before an older one', () => {
    expect(mended([call('a'), user('and'), call('a'), output('a', 'B')])).toEqual([
      call('a'),
      closed('a'),
      user('and'),
      call('a'),
      output('a', 'B'),
    ]);
  });

  test('calls of other families keep their ids to themselves', () => {
    const mixed = [call('a'), custom('a'), output('a'), listed('a')];
    expect(mended(mixed)).toBe(mixed);
    expect(mended([call('a'), user('and'), custom('a'), listed('a')])).toEqual([
      call('a'),
      closed('a'),
      user('and'),
      custom('a'),
      listed('a'),
    ]);
  });

  test('strange outputs are joined by position when there are as many as open calls, and not one more', () => {
    expect(mended([call('a'), call('b'), output('x', 'A'), output('y', 'B')])).toEqual([
      call('a'),
      call('b'),
      output('a', 'A'),
      output('b', 'B'),
    ]);
    expect(mended([call('a'), call('b'), output('b', 'B'), output('x', 'A'), output('y', 'C')])).toEqual([
      call('a'),
      call('b'),
      output('b', 'B'),
      closed('a'),
      user('[tool output] A'),
      user('[tool output] C'),
    ]);
    expect(mended([call('a'), call('b'), output('x', 'A')])).toEqual([
      call('a'),
      call('b'),
      closed('a'),
      closed('b'),
      user('[tool output] A'),
    ]);
  });

  test('an output that a later call asked for is not joined with another', () => {
    const swapped = [call('a'), output('b', 'B'), call('b'), output('a', 'A')];
    expect(check(swapped, dialect).findings.filter(({ severity }) => severity === 'rejected')).toEqual([]);
    expect(mended(swapped)).toEqual([call('a'), call('b'), output('a', 'A'), output('b', 'B')]);
  });

  test('an output under the id of a call is its output, however late, and no other one is joined with the call', () => {
    expect(mended([call('a'), output('x', 'A'), user('and'), output('a', 'late')])).toEqual([
      call('a'),
      user('[tool output] A'),
      user('and'),
      output('a', 'late'),
    ]);
  });

  test('joining waits for the message in which the numbers are equal', () => {
    expect(mended([call('a'), call('b'), output('x', 'A'), output('b', 'B')])).toEqual([
      call('a'),
      call('b'),
      output('b', 'B'),
      output('a', 'A'),
    ]);
  });

  test('a placeholder behind the real output goes, and one that names no call is a stray like others', () => {
    expect(mended([call('a'), output('a'), closed('a')])).toEqual([call('a'), output('a')]);
    expect(mended([call('a'), closed(''), user('and')])).toEqual([call('a'), closed('a'), user('and')]);
    expect(mended([call('a'), user('and'), closed('a')])).toEqual([call('a'), closed('a'), user('and')]);
    expect(mended([call('a'), user('and'), closed('a'), output('a')])).toEqual([call('a'), user('and'), output('a')]);
  });

  test('where a list goes on from a kept one, outputs may answer calls there', () => {
    const body = (...input: object[]): object => ({ model: 'somebody-1', previous_response_id: 'resp_1', input });
    const kept = body(call('a'), output('x'), output('a'));
    expect(repair(kept, dialect).output).toBe(kept);
    expect(repair(body(call('a'), output('x')), dialect).output).toEqual(body(call('a'), output('x'), closed('a')));
    expect(repair(body(user('hi'), output(null)), dialect).output).toEqual(body(user('hi'), user('[tool output] A')));
  });
});

test.each([
  ['once, where each step is answered by itself', [call('a'), call('b'), output('b'), output('a')], 1],
  ['once, where a result has the id of a call that has to be renamed', [call('é'), output('é')], 1],
  ['twice, where a call is open', [call('a')], 2],
  [
    'twice, where a result stands away from its step',
    [call('a'), call('b'), output('a'), user('and?'), output('b')],
    2,
  ],
  ['twice, where two calls of a step share an id', [call('a'), call('a'), output('a'), output('a')], 2],
])('a list is walked %s', (_, items, walks) => {
  expect(check([user('go'), ...items], dialect).passes).toBe(walks);
});

const brief = (findings: readonly Finding[]): string[] => findings.map(({ rule, at }) => `${rule} ${at.pointer}`);

test('a checker names what is wrong as it comes', () => {
  const checker = createChecker(dialect);
  const said = [
    user('go'),
    call('a'),
    call('b'),
    output('a'),
    output('x'),
    user('well?'),
    { role: 'assistant', content: 'Hm.' },
    output('b'),
    output('b'),
  ].map((message) => [brief(checker.push(message)), checker.open()]);
  expect(said).toEqual([
    [[], []],
    [[], ['a']],
    [[], ['a', 'b']],
    [[], ['b']],
    [[], ['b']],
    [['result-misnamed /4'], []],
    [[], []],
    [[], []],
    [['duplicate-result /8'], []],
  ]);
  expect(checker.settle()).toEqual([]);
  checker.push(call('c'));
  expect(checker.settle()).toEqual([closed('c')]);
});

test('a checker that has named an open call forgives it when it is answered late', () => {
  const checker = createChecker(dialect);
  const said = [call('a'), user('well?'), { role: 'assistant', content: 'Hm.' }, output('a')].map((message) => [
    brief(checker.push(message)),
    checker.open(),
  ]);
  expect(said).toEqual([
    [[], ['a']],
    [[], ['a']],
    [['call-without-result /0'], ['a']],
    [[], []],
  ]);
});

test('a checker waits for the results of parallel calls until somebody else has spoken', () => {
  const checker = createChecker(dialect);
  const parallel = [user('go'), call('a'), call('b'), output('a'), call('c'), output('b'), output('c')];
  const after = [user('well?'), { role: 'assistant', content: 'Hm.' }];
  expect([...parallel, ...after].flatMap((message) => brief(checker.push(message)))).toEqual([]);
  expect([checker.open(), checker.findings()]).toEqual([[], []]);
});

test('a call left open on purpose waits, also under an id that was used before', () => {
  const waiting = [call('a'), output('a'), user('again'), call('a')];
  const { output: kept, report } = repair(waiting, dialect, { open: 'leave' });
  expect(kept).toBe(waiting);
  expect(report.verdict).toBe('waiting');
});

test('a program without an id is the program of no output', () => {
  const program = { type: 'program', callId: '', fingerprint: 'f', code: '1' };
  const { report } = repair([program, { type: 'program_output', output: '1' }], 'openai-agents');
  expect(report.findings.map(({ rule }) => rule)).toContain('item-incomplete');
});
