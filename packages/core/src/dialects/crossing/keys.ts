import type { Lose, Spot } from '../../model/loss.ts';
import type { Mark } from '../../model/part.ts';
import { isRecord, readableJson } from '../../model/value.ts';

export type Wire = Record<string, unknown>;

/** A place one step further down. */
export function inside(spot: Spot, ...keys: readonly (string | number)[]): Spot {
  const steps = keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return { at: spot.at, path: spot.path + steps.join('') };
}

/** True for a value that says nothing: a key that holds it is not missed. */
export function isSilent(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

/** Notes every key that is not among the known ones, because no other dialect has a place for it. */
export function loseKeys(wire: unknown, known: ReadonlySet<string>, { spot, lose }: { spot: Spot; lose: Lose }): void {
  if (!isRecord(wire)) return;
  for (const key of Object.keys(wire)) {
    if (known.has(key) || isSilent(wire[key])) continue;
    lose(inside(spot, key), {
      kind: 'key',
      what: excerpt(key, wire[key]),
      why: `only this dialect has the key ${key}`,
    });
  }
}

const LONGEST = 60;

function excerpt(key: string, value: unknown): string {
  const json = readableJson(value);
  return `${key}: ${json.length > LONGEST ? `${json.slice(0, LONGEST).toWellFormed()}…` : json}`;
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
