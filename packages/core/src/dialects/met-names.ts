import { PLAIN_ID } from '../model/call-id.ts';

/** Names of tools that were looked at and found legal; a session calls a few tools thousands of times. */
export class MetNames {
  /** As many as a session has tools, by a place that their letters decide; the name in an empty place is legal too. */
  readonly #names: string[];

  constructor(legal = 'name') {
    this.#names = Array.from({ length: 32 }, () => legal);
  }

  has(name: string): boolean {
    // What `placeOf` says, written out: nearly all that is done here is to call it.
    const place = (name.length ^ name.charCodeAt(0) ^ name.charCodeAt(name.length - 1)) & 31;
    return this.#names[place] === name || this.#names[place ^ 1] === name;
  }

  /** Two names may share a place: the one that was there moves beside it. */
  add(name: string): void {
    const place = placeOf(name);
    this.#names[place ^ 1] = String(this.#names[place]);
    this.#names[place] = name;
  }
}

function placeOf(name: string): number {
  return (name.length ^ name.charCodeAt(0) ^ name.charCodeAt(name.length - 1)) & 31;
}

const plain = new MetNames();

/** True for the name of a tool as most providers take it: up to 64 letters, digits, underscores and hyphens. */
export function isPlainName(name: string): boolean {
  if (plain.has(name)) return true;
  if (name.length > 64 || !PLAIN_ID.test(name)) return false;
  plain.add(name);
  return true;
}
