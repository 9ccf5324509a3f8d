import { isFields } from '../fuzz/draft.ts';
import type { Answer } from './questions.ts';

/** How two answers differ: in what counts, or only in the wording of reports. */
export type Difference = 'real' | 'words';

/** Fields of reports that hold a sentence. What is lost is a sentence too; what is gone is a kind. */
const SENTENCES: ReadonlySet<string> = new Set(['explain', 'note', 'next', 'why', 'summary', 'title']);

/** Any value as JSON: what JSON cannot hold is named, and cycles end. */
export function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify(inert(value, [])) ?? 'null';
  }
}

/** A copy that JSON can hold. */
export function inert(value: unknown, above: readonly unknown[]): unknown {
  if (typeof value === 'bigint') return `${String(value)}n`;
  if (typeof value !== 'object' || value === null) return value;
  if (above.includes(value)) return '(cycle)';
  try {
    const within = [...above, value];
    if (Array.isArray(value)) return value.map((each) => inert(each, within));
    return Object.fromEntries(Object.keys(value).map((key) => [key, inert((value as never)[key], within)]));
  } catch {
    return '(throws when it is read)';
  }
}

/** A report with sorted keys, and equal things in an order of their own; without its sentences if asked. */
function ordered(value: unknown, sentences: boolean): unknown {
  if (Array.isArray(value)) return sortEqual(value.map((each) => ordered(each, sentences)));
  if (!isFields(value)) return value;
  const kept = Object.keys(value).filter((key) => value[key] !== undefined && (sentences || !isSentence(value, key)));
  return Object.fromEntries(kept.sort().map((key) => [key, ordered(value[key], sentences)]));
}

const isSentence = (fields: Readonly<Record<string, unknown>>, key: string): boolean =>
  typeof fields[key] === 'string' && (SENTENCES.has(key) || (key === 'what' && 'became' in fields));

/** Leaves each kind its places in the list, and sorts what is at them. */
function sortEqual(list: readonly unknown[]): unknown[] {
  const places = Map.groupBy(list.keys(), (index) => kindOf(list[index]) ?? index);
  const sorted = [...list];
  for (const indexes of places.values()) {
    const things = indexes.map((index) => toJson(list[index])).sort();
    if (things.length > 1) indexes.forEach((index, n) => (sorted[index] = JSON.parse(things[n] ?? 'null')));
  }
  return sorted;
}

function kindOf(thing: unknown): string | undefined {
  if (!isFields(thing) || !isFields(thing['at'])) return undefined;
  return toJson([thing['rule'], thing['kind'], thing['at']]);
}

/** How two answers to one question differ, if they do. */
export function compareAnswers(before: Answer, after: Answer): Difference | undefined {
  if (toJson(before.made) !== toJson(after.made)) return 'real';
  const same = (a: unknown, b: unknown): boolean => toJson(a) === toJson(b);
  if (!same(before.told, after.told)) {
    const [one, other] = [JSON.parse(toJson(before.told)), JSON.parse(toJson(after.told))] as const;
    if (!same(ordered(one, true), ordered(other, true))) {
      return same(ordered(one, false), ordered(other, false)) ? 'words' : 'real';
    }
  }
  return same(before.words, after.words) ? undefined : 'words';
}

/** An answer as it is shown: without what is equal by agreement. */
export function shownAnswer({ made, told, words }: Answer): unknown {
  return JSON.parse(
    toJson({ made, told: told === undefined ? undefined : ordered(JSON.parse(toJson(told)), true), words }),
  );
}
