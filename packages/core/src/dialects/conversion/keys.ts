import type { Lose, Spot } from '../../model/loss.ts';
import type { Mark } from '../../model/part.ts';
import { Noting, pointerTo } from '../../model/noting.ts';
import { isRecord } from '../../model/value.ts';

export type Wire = Record<string, unknown>;

/** A place one step further down. */
export function inside({ at, path }: Spot, ...keys: readonly (string | number)[]): Spot {
  return { at, path: path + pointerTo(keys) };
}

/** Notes every key that is not among the known ones, because no other dialect has a place for it. */
export function loseKeys(wire: unknown, known: ReadonlySet<string>, { spot, lose }: { spot: Spot; lose: Lose }): void {
  new Noting(spot, lose).loseKeys(wire, known);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The object with a key, where the value is there. */
export function maybe<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };
}

/** The list under a key; none where there is something else. */
export function listIn(wire: unknown, key: string): readonly unknown[] {
  const list = isRecord(wire) ? wire[key] : undefined;
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** The mark that a marker of any dialect stands for; undefined for what is none. */
export function markOf(marker: unknown, { path }: Spot): Mark | undefined {
  return isRecord(marker) ? { ...maybe('ttl', textOf(marker['ttl'])), path } : undefined;
}

/** How long a mark holds, in the words that most dialects share. */
export function timeOf({ ttl }: Mark): { readonly ttl?: string } {
  return maybe('ttl', ttl);
}
