import { WRITTEN, type Writer, type WRITERS } from '../conversation.ts';
import type { Random } from './random.ts';

/** One call or result of a batch: its id, and the number in its content. */
export interface Spoken {
  readonly id: string;
  readonly n: number;
}

/** How a dialect writes what the user says, a batch of calls, and results. */
export interface Batches {
  readonly user: (text: string) => object;
  readonly say: (text: string) => object;
  readonly calls: (calls: readonly Spoken[]) => readonly object[];
  readonly results: (results: readonly Spoken[]) => readonly object[];
}

const batchesOf = ({ user, say, calls, results }: Writer): Batches => ({
  user,
  say,
  calls: (list) => calls(...list.map(({ id, n }) => ({ id, input: { path: `path ${n}` } }))),
  results: (list) => results(...list.map(({ id, n }) => ({ id, text: `output ${n}` }))),
});

/** Calls and results of every dialect in which they can come apart. */
export const BATCHES = Object.fromEntries(WRITTEN.map(([dialect, writer]) => [dialect, batchesOf(writer)])) as Readonly<
  Record<keyof typeof WRITERS, Batches>
>;

/** Nine letters and digits, which every provider takes. */
export const batchId = (n: number): string => `c${String(n).padStart(8, '0')}`;

const without = (random: Random, items: readonly Spoken[], oneIn: number): Spoken[] =>
  items.filter(() => !random.chance(oneIn));

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(random.below(left.length), 1));
}

/** The ids of a batch: new ones, or those of every other batch again, as some hosts number them. */
function batchAt(random: Random, count: number, reused: boolean): Spoken[] {
  return Array.from({ length: random.between(1, 4) }, (_, at) => ({
    id: batchId(reused ? at : count + at),
    n: count + at,
  }));
}

/** Results in one message or in several, some of them late, twice, under a lost id, or in another order. */
function answersTo(batch: readonly Spoken[], random: Random): { now: Spoken[][]; late: Spoken[] } {
  const renamed = batch.map((each) => (random.chance(12) ? { ...each, id: batchId(90_000 + each.n) } : each));
  const late = random.chance(6) ? renamed.splice(random.below(renamed.length), 1) : [];
  const twice = random.chance(12) ? renamed.slice(0, 1).map(({ id, n }) => ({ id, n: n + 50_000 })) : [];
  const all = [...renamed, ...twice];
  const ordered = random.chance(3) ? shuffled(random, all) : all;
  const now = random.chance(2) ? ordered.map((each) => [each]) : [ordered];
  return { now, late };
}

/** A history of batches that was cut by ids, at the front and in the middle. */
export function cutHistory({ user, say, calls, results }: Batches, random: Random): object[] {
  const messages: object[] = [];
  const oneIn = random.pick([4, 8, 1000]);
  const reused = random.chance(4);
  let count = 1;
  let owed: Spoken[] = [];
  for (let turn = random.between(1, 3); turn > 0; turn -= 1) {
    messages.push(user(`question ${(count += 1)}`));
    for (let step = random.between(1, 3); step > 0; step -= 1) {
      const batch = batchAt(random, (count += 1), reused);
      count += batch.length;
      const kept = without(random, batch, oneIn);
      const { now, late } = answersTo(batch, random);
      if (kept.length > 0) messages.push(...calls(kept));
      // What was owed since an earlier step comes before or behind the results of this one.
      const groups = random.chance(2) ? [owed, ...now] : [...now, owed];
      owed = late;
      for (const group of groups) {
        const left = without(random, group, oneIn);
        if (left.length > 0) messages.push(...results(left));
        if (random.chance(20)) messages.push(user(`aside ${(count += 1)}`));
      }
    }
    if (random.chance(2)) messages.push(say(`answer ${(count += 1)}`));
  }
  if (owed.length > 0) messages.push(...results(owed));
  if (random.chance(2)) messages.splice(0, random.below(messages.length));
  if (random.chance(2)) messages.splice(random.below(messages.length + 1), random.below(3));
  return messages;
}
