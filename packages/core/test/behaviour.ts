import { createHash } from 'node:crypto';
import { isDialect } from '../src/model/dialect.ts';
import { examplesOf } from '../src/examples.ts';
import { contractOf } from '../src/contracts.ts';
import { ENGINE_RULES, type EngineRule } from '../src/rules/engine-rules.ts';
import { check, createChecker, explain, repair, type RepairOptions, type TargetInput } from '../src/index.ts';
import type { Example, Rule } from '../src/model/rule.ts';
import { dialects, sampleAt } from './fuzz/histories.ts';
import { messagesIn } from './fuzz/reading.ts';
import { seedAt } from './fuzz/random.ts';

/** Histories that belong together, and what the library does with them, to the last byte of every output and report. */
export type Shelf = { readonly name: string; readonly digest: () => string };

const SEED = 7;
const HISTORIES = 10;
const SHELVES = 60;

/** Every choice a caller has, one at a time. */
const CHOICES: readonly RepairOptions[] = [
  {},
  { policy: 'discard' },
  { open: 'leave' },
  { next: 'user' },
  { next: 'user', policy: 'discard' },
  { maxPasses: 1 },
  { policy: { partialBatch: 'remove-open' } },
  { policy: { partialBatch: 'remove-batch', duplicateResult: 'keep-first' } },
];

const toDigest = (behaviour: unknown): string =>
  createHash('sha256').update(JSON.stringify(behaviour)).digest('hex').slice(0, 12);

function ofSeeds(dialect: (typeof dialects)[number], shelf: number): unknown {
  const indexes = Array.from({ length: HISTORIES }, (_, index) => shelf * HISTORIES + index);
  return indexes.map((index) => {
    const { input, target, options } = sampleAt(seedAt(SEED, index), dialect);
    return [check(input, target), repair(input, target, options), grown(input, target)];
  });
}

/** What is found while the messages come in one by one. */
function grown(input: unknown, target: TargetInput): unknown {
  const checker = createChecker(target);
  const found = messagesIn(input).map((message) => checker.push(message));
  return [found, checker.settle()];
}

function targetsOf({ dialect, model, profile }: Example): TargetInput[] {
  if (!isDialect(dialect)) throw new RangeError(`an example names the dialect ${dialect}, which does not exist`);
  const named = { dialect, ...(model === undefined ? {} : { model }), ...(profile === undefined ? {} : { profile }) };
  return [named, { ...named, purpose: 'request' }, { ...named, purpose: 'history' }];
}

function ofExamples(rule: Rule | EngineRule): unknown {
  const told = examplesOf(rule.id).map((example) => {
    const inputs = [
      'clean' in example ? example.clean : example.before,
      'after' in example ? example.after : undefined,
    ];
    return targetsOf(example).map((target) =>
      inputs
        .filter((input) => input !== undefined)
        .map((input) => [
          check(input, target),
          ...[...CHOICES, example.options ?? {}].map((options) => repair(input, target, options)),
        ]),
    );
  });
  return [explain(rule.id), told];
}

const RULES = [...new Set(dialects.flatMap((dialect) => contractOf(dialect).rules)), ...ENGINE_RULES];

export const shelves: readonly Shelf[] = [
  ...RULES.map((rule) => ({ name: `examples of ${rule.id}`, digest: () => toDigest(ofExamples(rule)) })),
  ...dialects.flatMap((dialect) =>
    Array.from({ length: SHELVES }, (_, shelf) => ({
      name: `seeds of ${dialect}, ${String(shelf)}`,
      digest: () => toDigest(ofSeeds(dialect, shelf)),
    })),
  ),
];
