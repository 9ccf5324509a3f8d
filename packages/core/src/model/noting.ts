import type { Lose, Lost, Spot } from './loss.ts';
import type { Part, Place } from './part.ts';
import { isRecord, readableJson } from './value.ts';

/**
 * Where a reader stands in the input, and who hears of what no other dialect can say. Only a conversion gives one to a
 * reader; parts have their place, their path and all that a repair does not need only then.
 */
export class Noting {
  readonly at: Place;
  readonly path: string;
  readonly #lose: Lose;
  readonly #only: { readonly part: number; readonly pointer: string } | undefined;

  /** At the fields around the list. */
  static around(lose: Lose): Noting {
    return new Noting({ at: { message: -1 }, path: '' }, lose);
  }

  constructor({ at, path }: Spot, lose: Lose, only?: { readonly part: number; readonly pointer: string }) {
    this.at = at;
    this.path = path;
    this.#lose = lose;
    this.#only = only;
  }

  /** Further down in the same part, or in the same message. */
  inside(...keys: readonly (string | number)[]): Noting {
    return new Noting({ at: this.at, path: this.path + pointerTo(keys) }, this.#lose, this.#only);
  }

  /** The part with this number among the parts of the message, and the keys under which it stands. */
  part(index: number, ...keys: readonly (string | number)[]): Noting {
    const { part, pointer } = this.#only ?? { part: index, pointer: pointerTo(keys) };
    return new Noting({ at: { message: this.at.message, part }, path: this.path + pointer }, this.#lose);
  }

  /** A message of which only this part is read, wherever it stands then. */
  only(part: number, pointer: string): Noting {
    return new Noting(this, this.#lose, { part, pointer });
  }

  lose(loss: Lost): void {
    this.#lose(this, loss);
  }

  /** Loses every key that is not among the known ones and says something: no other dialect has a place for it. */
  loseKeys(wire: unknown, known: ReadonlySet<string>): void {
    if (!isRecord(wire)) return;
    for (const key of Object.keys(wire)) {
      if (known.has(key) || isSilent(wire[key])) continue;
      const what = excerpt(key, wire[key]);
      this.inside(key).lose({ kind: 'key', what, why: `only this dialect has the key ${key}` });
    }
  }
}

/** A part with its place in the input, where that is noted. */
export function placed<P extends Part>(part: P, noting: Noting | undefined): P {
  return noting === undefined ? part : { ...part, at: noting.at, path: noting.path };
}

/** A JSON pointer. */
export function pointerTo(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** True for a value that says nothing: a key that holds it is not missed. */
export function isSilent(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}

const LONGEST = 60;

function excerpt(key: string, value: unknown): string {
  const json = readableJson(value);
  return `${key}: ${json.length > LONGEST ? `${json.slice(0, LONGEST).toWellFormed()}…` : json}`;
}
