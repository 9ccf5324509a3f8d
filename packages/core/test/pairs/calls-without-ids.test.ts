import { describe, expect, test } from 'vitest';
import { check, decode, repair } from '../../src/index.ts';
import { BATCHES, batchId, type Spoken } from '../fuzz/batches.ts';

const dialects = Object.keys(BATCHES) as (keyof typeof BATCHES)[];
const spoken = (...numbers: number[]): Spoken[] => numbers.map((n) => ({ id: batchId(n), n }));

/** What each call of a history is answered with, by the number of the call, and everything that is quoted. */
function pairsIn(output: unknown, dialect: keyof typeof BATCHES): { answers: string[]; quoted: string[] } {
  const parts = (decode(output, dialect)?.messages ?? []).flatMap((message) => message.parts);
  const results = parts.filter((part) => part.kind === 'result');
  const calls = parts.filter((part) => part.kind === 'call');
  const answers = calls.map(({ callId }) => {
    const texts = results.filter((result) => result.callId === callId).map(({ text }) => text);
    return `${Number(callId.slice(1))}: ${texts.join(' + ').replace(/^.*(output \d+).*$/, '$1')}`;
  });
  const texts = parts.flatMap((part) => (part.kind === 'text' ? part.text : []));
  return { answers, quoted: texts.filter((text) => text.startsWith('[tool output]')) };
}

const told = (input: unknown[], dialect: keyof typeof BATCHES): string[] =>
  repair(input, dialect).report.repairs.map(({ rule, action, loss }) => `${rule} ${action} ${loss}`);

describe.each(dialects)('%s', (dialect) => {
  const { user, say, calls, results } = BATCHES[dialect];
  const apart = (...numbers: number[]): object[] => spoken(...numbers).flatMap((each) => results([each]));

  test.each([
    ['before', [1, 2, 3]],
    ['between', [2, 1, 3]],
    ['behind', [2, 3, 1]],
  ])('one stray result %s those of a whole batch takes nothing from it', (_, order) => {
    const input = [user('go'), ...calls(spoken(2, 3)), ...apart(...order)];
    const { output, report } = repair(input, dialect);
    const { answers, quoted } = pairsIn(output, dialect);
    expect(answers).toEqual(['2: output 2', '3: output 3']);
    expect(quoted).toHaveLength(1);
    expect(quoted[0]).toContain('output 1');
    expect(report.preserved.ratio).toBe(1);
    const pairRules = check(input, dialect).findings.flatMap(({ rule }) => (/result|call/.test(rule) ? rule : []));
    expect(pairRules).toEqual(['result-without-call']);
  });

  test('nor does one in the same message', () => {
    const input = [user('go'), ...calls(spoken(2, 3)), ...results(spoken(1, 2, 3))];
    expect(pairsIn(repair(input, dialect).output, dialect).answers).toEqual(['2: output 2', '3: output 3']);
  });

  test('nor when the own result of a call comes late', () => {
    const input = [user('go'), ...calls(spoken(2, 3)), ...apart(1, 2), user('well?'), say('Hm.'), ...apart(3)];
    const { answers, quoted } = pairsIn(repair(input, dialect).output, dialect);
    expect(answers).toEqual(['2: output 2', '3: output 3']);
    expect(quoted).toHaveLength(1);
  });

  test('a result of an earlier call is not joined with one that is open, however long ago that was', () => {
    const steps = Array.from({ length: 12 }, (_, n) => [...calls(spoken(n + 10)), ...apart(n + 10)]).flat();
    const again = { id: batchId(10), n: 99 };
    const input = [user('go'), ...steps, ...calls(spoken(2)), ...results([again])];
    const { answers } = pairsIn(repair(input, dialect).output, dialect);
    expect(answers.at(-1)).not.toContain('output');
  });

  test('as many strange results as open calls are joined by position, and told as an invention', () => {
    const input = [user('go'), ...calls(spoken(2, 3)), ...apart(8, 9)];
    expect(pairsIn(repair(input, dialect).output, dialect).answers).toEqual(['2: output 8', '3: output 9']);
    expect(told(input, dialect)).toEqual(['result-misnamed relink synthetic', 'result-misnamed relink synthetic']);
  });

  test.each([
    ['one more', [7, 8, 9]],
    ['one less', [7]],
  ])('%s is quoted, and the calls are closed', (_, strange) => {
    const input = [user('go'), ...calls(spoken(2, 3)), ...apart(...strange)];
    const { answers, quoted } = pairsIn(repair(input, dialect).output, dialect);
    expect(answers.join()).not.toContain('output');
    expect(quoted.join().match(/output \d/g)).toHaveLength(strange.length);
  });
});

test('a result under the id of a call of another kind is not joined with a call without an id', () => {
  const input = [
    { type: 'function_call', name: 'read', arguments: '{"path":"path 8"}' },
    { type: 'shell_call', callId: 'call_7', action: { commands: ['ls'] } },
    { type: 'function_call_result', callId: 'call_7', output: { type: 'text', text: 'output 12' } },
    { type: 'function_call_result', callId: 'call_7', output: { type: 'text', text: 'output 13' } },
  ];
  const { output } = repair(input, 'openai-agents');
  const first = decode(output, 'openai-agents')?.messages.flatMap(({ parts }) => parts)[0];
  const results = (output as { type?: string; callId?: string; output?: unknown }[]).filter(
    ({ type, callId }) => type?.endsWith('result') === true && first?.kind === 'call' && callId === first.callId,
  );
  expect(JSON.stringify(results)).not.toContain('output 13');
});
