import { describe, expect, test } from 'vitest';
import { check, compact, prepare, repair, verify, type RepairOptions, type SessionRecord } from '../src/index.ts';

const list = [{ role: 'user', content: 'Delete the old logs.' }];

const told = (findings: readonly { rule: string; explain: string }[] | undefined): string[] =>
  (findings ?? []).map(({ rule, explain }) => `${rule}: ${explain}`);
const repaired = (options: unknown): string[] =>
  told(repair(list, 'openai-chat', options as RepairOptions).report.findings);

describe('a finding names an invalid option, the valid ones, and what is used instead', () => {
  test.each([
    [
      { policy: 'discrad' },
      'options.policy is "discrad"; valid is "preserve", "discard", or an object; "preserve" is used',
    ],
    [
      { policy: { openCall: 'explode' } },
      'options.policy.openCall is "explode"; valid is "close", "remove"; "close" is used',
    ],
    [{ open: 'leaf' }, 'options.open is "leaf"; valid is "close", "leave"; "close" is used'],
    [{ maxPasses: 'x' }, 'options.maxPasses is "x"; valid is a number from 0; 10 is used'],
    [{ maxPasses: -1 }, 'options.maxPasses is -1; valid is a number from 0; 10 is used'],
    [{ next: 'system' }, 'options.next is "system"; valid is "user"; it is left out'],
    [{ refusals: {} }, 'options.refusals is of type object; valid is a list; it is left out'],
    [{ prefixDigests: [] }, 'options.prefixDigests is a list; valid is an object; it is left out'],
    [
      { evidence: { c1: 'done' } },
      'options.evidence is of type object; valid is an object that gives call ids one of "unknown", "aborted", ' +
        '"started", "timed-out", "not-started", "denied"; calls without a valid kind count as unknown',
    ],
    [
      { polcy: 'discard' },
      'options.polcy is no option and was left out; valid options are policy, open, evidence, maxPasses, next, ' +
        'refusal, refusals, prefixDigests',
    ],
    ['discard', 'options is "discard", but has to be an object; the defaults are used'],
  ])('%j', (options, explain) => {
    expect(repaired(options)).toEqual([`option-invalid: ${explain}`]);
  });
});

test('a finding names an invalid part of a target, wherever a target is given', () => {
  const target = { dialect: 'openai-chat', purpose: 'reqest', modle: 'gpt-5' } as const;
  const explained = [
    'option-invalid: target.purpose is "reqest"; valid is "history", "request"; the purpose follows from the input',
    'option-invalid: target.modle is no option and was left out; valid options are dialect, model, profile, purpose',
  ];
  expect(told(check(list, target as object).findings)).toEqual(explained);
  expect(told(repair(list, target as object).report.findings)).toEqual(explained);
  expect(told(verify(list, target as object).report.findings)).toEqual(explained);
});

test('a history is as healthy with invalid options as without', () => {
  const { output, changed, report } = repair(list, 'openai-chat', { policy: 'discrad' } as object);
  expect(output).toBe(list);
  expect([changed, report.verdict]).toEqual([false, 'clean']);
  expect(verify(list, { modle: 'gpt-5' } as object).ok).toBe(true);
});

test('a stored session is prepared with a finding for each invalid option', () => {
  const data = { dialect: 'openai-chat', wire: list[0] };
  const record: SessionRecord = { v: 1, seq: 1, id: 'a', at: '2026-01-01T00:00:00Z', kind: 'message', data };
  const { report } = prepare([record], 'openai-chat', { open: 'leaf' } as object);
  expect(report.findings.map(({ rule }) => rule)).toEqual(['option-invalid']);
});

test('a compaction names invalid options, also inside of others', async () => {
  const compacted = async (options: object): Promise<string[]> =>
    told((await compact(list, { budgetTokens: 100, ...options })).report.findings);
  expect(
    await compacted({ ladder: ['prune'], keep: { minTurns: 1 }, target: 'openai-chat', model: undefined }),
  ).toEqual([]);
  expect(await compacted({ ladder: ['prunes'], keep: { minTurn: 1 }, target: { purpose: 1 } })).toEqual([
    'option-invalid: target.purpose is 1; valid is "history", "request"; the purpose follows from the input',
    'option-invalid: options.ladder is a list; valid is a list of "clamp", "repeated-reads", "prune", "summary", ' +
      '"rule-summary"; unknown steps are left out',
    'option-invalid: options.keep.minTurn is no option and was left out; valid options are minTurns, minMessages',
  ]);
});

test('options that are valid, left out or throw when they are read are no finding', () => {
  const throws = Object.defineProperty({}, 'policy', {
    enumerable: true,
    get() {
      throw new Error('no');
    },
  });
  expect(repaired({ policy: { openCall: 'remove' }, evidence: { c1: 'denied' }, maxPasses: 0, open: 'leave' })).toEqual(
    [],
  );
  expect([repaired(undefined), repaired(null), repaired({ policy: undefined, open: null })]).toEqual([[], [], []]);
  expect(() => check(list, throws)).not.toThrow();
});
