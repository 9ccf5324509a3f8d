import type { Dialect, Example, RepairOptions, TargetInput } from '../../src/index.ts';
import { isFields } from '../fuzz/draft.ts';
import { grown } from '../fuzz/grown.ts';
import { dialects, healthy, sampleAt } from '../fuzz/histories.ts';
import { startRandom, seedAt } from '../fuzz/random.ts';
import { deepFreeze, messagesIn } from '../fuzz/reading.ts';
import { CHOICES, MODELS } from './choices.ts';
import type { Core } from './core.ts';

/** One input, what it is meant for, and what its caller chose. */
export type Subject = {
  /** Finds it again: `--case <id>`. */
  readonly id: string;
  /** Counts the inputs of one kind, so that a share of them can be asked more. */
  readonly index: number;
  readonly dialect: Dialect;
  readonly input: unknown;
  readonly target: TargetInput | undefined;
  readonly options: RepairOptions;
};

const SEED = 7;

/** The n-th seeded history of a dialect; every tenth is a long one, which gives a compaction something to do. */
export function seeded(dialect: Dialect, index: number): Subject {
  const seed = seedAt(SEED, index);
  const id = `seed:${dialect}:${String(index)}`;
  const { input, target, options } = sampleAt(seed, dialect);
  if (index % 10 === 5) return { id, index, dialect, input: deepFreeze(longInput(dialect, seed)), target, options };
  return { id, index, dialect, input: deepFreeze(input), target, options };
}

const isOfSystem = (message: unknown): boolean =>
  isFields(message) &&
  (message['role'] === 'system' || message['role'] === 'developer' || message['type'] === 'system');

function longInput(dialect: Dialect, seed: number): unknown {
  const random = startRandom(seed);
  const list = grown(healthy(dialect, random).messages, 0, random) as unknown[];
  for (let more = random.between(1, 3); more > 0; more -= 1) {
    const next = grown(healthy(dialect, random).messages, more * 1000, random) as unknown[];
    list.push(...next.filter((message) => !isOfSystem(message)));
  }
  return list;
}

function isDialect(name: string): name is Dialect {
  return dialects.some((dialect) => dialect === name);
}

/** Every target that an example is tried for: as it says, as a request, as a history, undetected, and for models. */
function targetsOf({ dialect, model, profile }: Example): (TargetInput | undefined)[] {
  if (!isDialect(dialect)) throw new RangeError(`an example names the dialect ${dialect}, which does not exist`);
  const named = { dialect, ...(model === undefined ? {} : { model }), ...(profile === undefined ? {} : { profile }) };
  const models = (MODELS[dialect] ?? []).map((other) => ({ ...named, model: other }));
  return [named, { ...named, purpose: 'request' }, { ...named, purpose: 'history' }, undefined, ...models];
}

const KINDS = ['aborted', 'not-started', 'started', 'timed-out', 'denied'] as const;

/** Evidence on everything that could be the id of a call. */
function evidenceOn(input: unknown): RepairOptions {
  const words = (JSON.stringify(messagesIn(input), withoutBig) ?? '').match(/"[\w.|:-]{1,40}"/g) ?? [];
  const ids = [...new Set(words.map((word) => word.slice(1, -1)))];
  return { evidence: Object.fromEntries(ids.map((id, n) => [id, KINDS[n % KINDS.length] ?? 'started'])) };
}

const withoutBig = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

function frozen(input: unknown): unknown {
  try {
    return deepFreeze(input);
  } catch {
    // It throws when it is read, and that is what it is an example of.
    return input;
  }
}

/** The examples of one rule of the reference, for every target and with every choice. */
export function* examplesOf(reference: Core, rule: string): Generator<Subject> {
  let index = 0;
  for (const [n, example] of (reference.explain(rule)?.examples ?? []).entries()) {
    const inputs = 'clean' in example ? { clean: example.clean } : inputsOf(example);
    for (const [name, input] of Object.entries(inputs)) {
      frozen(input);
      const choices = [example.options ?? {}, ...CHOICES, evidenceOn(input)];
      for (const [t, target] of targetsOf(example).entries()) {
        for (const [c, options] of choices.entries()) {
          const id = `example:${rule}:${String(n)}:${name}:${String(t)}:${String(c)}`;
          yield { id, index: (index += 1), dialect: example.dialect as Dialect, input, target, options };
        }
      }
    }
  }
}

const inputsOf = (example: Example & { readonly before: unknown }): Record<string, unknown> => ({
  before: example.before,
  ...('after' in example ? { after: example.after } : {}),
});
