import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isDialect, type Dialect } from '../src/codecs/dialects.ts';
import { CONTRACTS } from '../src/contracts/contracts.ts';
import { DOCTOR_RULES } from '../src/contracts/doctor-rules.ts';
import { check, repair, type Finding, type TargetInput } from '../src/index.ts';
import type { Example, Rule } from '../src/model/rule.ts';
import { judge } from './judge/judge.ts';

const DIALECTS = Object.keys(CONTRACTS).filter(isDialect);
const RULES: readonly Rule[] = [...new Set(DIALECTS.flatMap((dialect) => CONTRACTS[dialect].rules))];
/** Reasoning goes because of what other rules did, so only a repair shows it, not a check. */
const REPAIR_ONLY: ReadonlySet<string> = new Set(['reasoning-after-edit']);
/** The framework sends an empty response on; it is the provider behind it that refuses. */
const PASSED_ON: ReadonlySet<string> = new Set(['empty-message pydantic-ai']);

type Mended = Extract<Example, { after: unknown }>;

const dialectsOf = (rule: Rule): Dialect[] => DIALECTS.filter((dialect) => CONTRACTS[dialect].rules.includes(rule));

function dialectOf({ dialect }: Example): Dialect {
  if (!isDialect(dialect)) throw new Error(`an example names the dialect ${dialect}, which does not exist`);
  return dialect;
}

function targetOf(example: Example): TargetInput {
  const { model, profile } = example;
  return {
    dialect: dialectOf(example),
    ...(model === undefined ? {} : { model }),
    ...(profile === undefined ? {} : { profile }),
  };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
  return value;
}

function findingsOf(rule: Pick<Rule, 'id'>, input: unknown, example: Example): Finding[] {
  const target = targetOf(example);
  // Only a repair is told what will follow the history.
  const told = example.options?.next !== undefined;
  const { findings } = told ? repair(input, target, example.options).report : check(input, target);
  return findings.filter((finding) => finding.rule === rule.id);
}

function expectClean(rule: Pick<Rule, 'id'>, input: unknown, example: Example): void {
  expect(findingsOf(rule, input, example)).toEqual([]);
  expect(check(input, targetOf(example)).verdict).toBe('clean');
}

function expectFound(rule: Pick<Rule, 'id'>, input: unknown, example: Example): void {
  if (REPAIR_ONLY.has(rule.id)) {
    const { repairs } = repair(input, targetOf(example), example.options).report;
    expect(repairs.map((each) => each.rule)).toContain(rule.id);
  } else {
    expect(findingsOf(rule, input, example)).not.toEqual([]);
  }
}

function expectMended(example: Mended): void {
  const target = targetOf(example);
  const copy = structuredClone(example.before);
  const { output, changed, lifted } = repair(copy, target, example.options);
  expect(output).toEqual(example.after);
  expect(lifted).toEqual(example.lifted);
  expect(changed).toBe(true);
  expect(copy).toEqual(example.before);
  expect(repair(freeze(structuredClone(example.before)), target, example.options).output).toEqual(output);
}

function expectSettled(example: Mended): void {
  const again = repair(example.after, targetOf(example), example.options);
  expect(again.report.findings.filter((finding) => finding.severity !== 'wasteful')).toEqual([]);
  expect(again.output).toBe(example.after);
  expect(again.changed).toBe(false);
}

/** The judge knows models but no overridden profiles, so there it is asked about the result only. */
function expectJudged(rule: Pick<Rule, 'id' | 'severity'>, example: Mended): void {
  const dialect = dialectOf(example);
  const { model, profile } = example;
  expect(judge(dialect, example.after, { model })).toEqual([]);
  const refused = rule.severity === 'rejected' && !PASSED_ON.has(`${rule.id} ${dialect}`);
  if (refused && profile === undefined) {
    expect(judge(dialect, example.before, { model })).not.toEqual([]);
  }
}

function testExample(rule: Pick<Rule, 'id' | 'severity'>, example: Example): void {
  if ('clean' in example) {
    test(`${example.name}: nothing is found`, () => {
      expectClean(rule, freeze(structuredClone(example.clean)), example);
    });
    return;
  }
  test(`${example.name}: the breach is found`, () => {
    expectFound(rule, freeze(structuredClone(example.before)), example);
  });
  if ('found' in example) return;
  test(`${example.name}: the repair gives exactly the stated result and leaves the input alone`, () => {
    expectMended(example);
  });
  test(`${example.name}: the result is clean for the whole contract and repaired only once`, () => {
    expectClean(rule, example.after, example);
    expectSettled(example);
  });
  test(`${example.name}: the judge agrees`, () => {
    expectJudged(rule, example);
  });
}

for (const rule of RULES) {
  describe(rule.id, () => {
    for (const dialect of dialectsOf(rule)) {
      const examples = rule.examples.filter((example) => example.dialect === dialect);
      describe(dialect, () => {
        test('an example shows the breach, and evidence says why it is one', () => {
          expect(examples.filter((example) => 'before' in example)).not.toEqual([]);
          expect(rule.evidence[dialect]).toBeTruthy();
        });
        test('the words of the provider are given where they are known', () => {
          const broken = examples.flatMap((example) =>
            'before' in example ? [{ example, before: example.before }] : [],
          );
          const words = broken.flatMap(({ example, before }) =>
            findingsOf(rule, before, example).map((finding) => finding.providerError),
          );
          if (rule.providerError?.[dialect] !== undefined && !REPAIR_ONLY.has(rule.id)) {
            expect(words.some((text) => typeof text === 'string' && text !== '')).toBe(true);
          } else {
            expect(words.every((text) => text === undefined)).toBe(true);
          }
        });
        for (const example of examples) testExample(rule, example);
      });
    }
    test('no example is of a dialect the rule does not hold in', () => {
      const listed: readonly string[] = dialectsOf(rule);
      expect(rule.examples.filter((example) => !listed.includes(example.dialect))).toEqual([]);
      expect(Object.keys(rule.evidence).filter((dialect) => !listed.includes(dialect))).toEqual([]);
    });
  });
}

describe('rules of the doctor itself', () => {
  for (const rule of DOCTOR_RULES) {
    for (const example of rule.examples) describe(rule.id, () => testExample(rule, example));
  }
});

test('every rule file is in a contract, under the name of its file', () => {
  const files = readdirSync(new URL('../src/contracts/rules/', import.meta.url)).map((name) =>
    name.replace(/\.ts$/, ''),
  );
  expect(RULES.map((rule) => rule.id).sort()).toEqual(files.sort());
});
