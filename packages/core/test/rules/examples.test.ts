import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isDialect, type Dialect } from '../../src/model/dialect.ts';
import { examplesOf } from '../../src/examples.ts';
import { contractOf } from '../../src/target.ts';
import { PROFILES } from '../../src/dialects/profiles.ts';
import { ENGINE_RULES } from '../../src/rules/engine-rules.ts';
import { check, explain, repair, type Finding, type TargetInput } from '../../src/index.ts';
import type { Example, Rule } from '../../src/model/rule.ts';
import { judge, type Refusal } from '../../../simulator/src/judges/judge.ts';

const DIALECTS = Object.keys(PROFILES).filter(isDialect);
const RULES: readonly Rule[] = [...new Set(DIALECTS.flatMap((dialect) => contractOf(dialect).rules))];
/** Reasoning goes because of what other rules did, so only a repair shows it, not a check. */
const REPAIR_ONLY: ReadonlySet<string> = new Set(['reasoning-after-edit']);

type Shown<E extends Example = Example> = {
  readonly title: string;
  readonly rule: Pick<Rule, 'id' | 'severity' | 'severityIn'>;
  readonly example: E;
};
type Clean = Extract<Example, { clean: unknown }>;
type Broken = Extract<Example, { before: unknown }>;
type Mended = Extract<Example, { after: unknown }>;

const dialectsOf = (rule: Rule): Dialect[] => DIALECTS.filter((dialect) => contractOf(dialect).rules.includes(rule));
const isClean = (shown: Shown): shown is Shown<Clean> => 'clean' in shown.example;
const isBroken = (shown: Shown): shown is Shown<Broken> => 'before' in shown.example;
const isMended = (shown: Shown): shown is Shown<Mended> => 'after' in shown.example;

const HOLDING = RULES.flatMap((rule) =>
  dialectsOf(rule).map((dialect) => ({ title: `${rule.id} in ${dialect}`, rule, dialect })),
);
const SHOWN: readonly Shown[] = [...RULES, ...ENGINE_RULES].flatMap((rule) =>
  examplesOf(rule.id).map((example) => ({ title: `${rule.id}, ${example.dialect}: ${example.name}`, rule, example })),
);

const titled = <T extends { readonly title: string }>(list: readonly T[]): (readonly [string, T])[] =>
  list.map((each) => [each.title, each]);

function targetOf({ dialect, model, profile }: Example): TargetInput {
  if (!isDialect(dialect)) throw new Error(`an example names the dialect ${dialect}, which does not exist`);
  return { dialect, ...(model === undefined ? {} : { model }), ...(profile === undefined ? {} : { profile }) };
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
  return value;
}

/** What a rule finds; a repair is asked where a check is not told enough. */
function findingsOf({ id }: Pick<Rule, 'id'>, example: Broken): Pick<Finding, 'rule' | 'providerError'>[] {
  const input = freeze(structuredClone(example.before));
  const target = targetOf(example);
  const { report } = repair(input, target, example.options);
  const told = example.options?.next !== undefined;
  const findings = told ? report.findings : check(input, target).findings;
  return [...findings, ...(REPAIR_ONLY.has(id) ? report.repairs : [])].filter((each) => each.rule === id);
}

/** The judge knows models but no overridden profiles. */
function isRefused({ rule, example }: Shown): boolean {
  const severity = rule.severityIn?.[example.dialect] ?? rule.severity;
  return severity === 'rejected' && example.profile === undefined;
}

function judged(example: Example, input: unknown): Refusal[] {
  if (!isDialect(example.dialect)) throw new Error(`there is no judge for ${example.dialect}`);
  return judge(example.dialect, input, { model: example.model });
}

describe('every rule', () => {
  test.each(titled(HOLDING))('%s has evidence and an example of the breach', (_title, { rule, dialect }) => {
    const own = SHOWN.filter((shown) => shown.rule === rule && shown.example.dialect === dialect);
    expect(own.some(isBroken)).toBe(true);
    expect(rule.evidence[dialect]).toBeTruthy();
  });

  test.each(titled(HOLDING))(
    '%s gives the words of the provider where they are on record',
    (_title, { rule, dialect }) => {
      const own = SHOWN.filter(isBroken).filter((shown) => shown.rule === rule && shown.example.dialect === dialect);
      const words = own.flatMap(({ example }) => findingsOf(rule, example).map((finding) => finding.providerError));
      const speaks = rule.providerError?.[dialect] !== undefined;
      expect(words.some((text) => text !== undefined && text !== '')).toBe(speaks);
    },
  );

  test.each(RULES)('$id shows and rests on nothing of a dialect it does not hold in', (rule) => {
    const named = new Set([...examplesOf(rule.id).map((example) => example.dialect), ...Object.keys(rule.evidence)]);
    expect([...named].sort()).toEqual([...dialectsOf(rule)].sort());
  });

  test('is in a file of its own name and in a contract', () => {
    const files = readdirSync(new URL('../../src/rules/', import.meta.url));
    const named = files.flatMap((name) => /^(.*)\.examples\.ts$/.exec(name)?.[1] ?? []);
    for (const id of named) expect(explain(id)?.id).toBe(id);
    for (const { id } of RULES) expect(files).toEqual(expect.arrayContaining([`${id}.ts`, `${id}.examples.ts`]));
  });
});

test.each(titled(SHOWN.filter(isClean)))('%s: nothing is found', (_title, { example }) => {
  const { verdict, findings } = check(freeze(structuredClone(example.clean)), targetOf(example));
  expect(findings.filter((finding) => finding.severity !== 'wasteful')).toEqual([]);
  expect(verdict).toBe('clean');
});

test.each(titled(SHOWN.filter(isBroken)))('%s: the breach is found', (_title, { rule, example }) => {
  expect(findingsOf(rule, example)).not.toEqual([]);
});

test.each(titled(SHOWN.filter(isMended)))(
  '%s: the repair is exactly as stated, the input as it was',
  (_title, { example }) => {
    const target = targetOf(example);
    const input = structuredClone(example.before);
    const { output, changed, lifted } = repair(input, target, example.options);
    expect(output).toEqual(example.after);
    expect(lifted).toEqual(example.lifted);
    expect(changed).toBe(true);
    expect(input).toEqual(example.before);
    expect(repair(freeze(structuredClone(example.before)), target, example.options).output).toEqual(output);
  },
);

test.each(titled(SHOWN.filter(isMended)))('%s: what is repaired is clean and stays as it is', (_title, { example }) => {
  const target = targetOf(example);
  expect(check(example.after, target).verdict).toBe('clean');
  const again = repair(example.after, target, example.options);
  expect(again.output).toBe(example.after);
  expect(again.changed).toBe(false);
});

test.each(titled(SHOWN.filter(isMended)))('%s: the judge accepts the result', (_title, { example }) => {
  expect(judged(example, example.after)).toEqual([]);
});

test.each(titled(SHOWN.filter(isBroken).filter(isRefused)))(
  '%s: the judge refuses it before',
  (_title, { example }) => {
    expect(judged(example, example.before)).not.toEqual([]);
  },
);
