/** Nesting beyond this cannot be relied on to survive serialisation everywhere. */
export const MAX_DEPTH = 256;

const MAX_NODES = 5_000_000;

/** What an inspection of a value adds up to. Reused between calls so that inspecting allocates nothing. */
export type Tally = { characters: number; lone: boolean; broken: boolean; nodes: number };

export function newTally(): Tally {
  return { characters: 0, lone: false, broken: false, nodes: 0 };
}

/** Counts the characters of a JSON value and notes what JSON or UTF-8 cannot carry. */
export function inspect(value: unknown, tally: Tally, depth = 0): void {
  if (typeof value === 'string') {
    tally.characters += value.length;
    if (!value.isWellFormed()) tally.lone = true;
  } else if (typeof value === 'object') {
    if (value !== null) inspectObject(value, tally, depth);
  } else if (typeof value === 'number' || typeof value === 'boolean') tally.characters += 1;
  else if (value !== undefined) tally.broken = true;
}

/** Characters of text in a JSON value. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  const plain = typeof value === 'object' && value !== null ? plainCharacters(value as Record<string, unknown>) : -1;
  if (plain !== -1) return plain;
  const tally = newTally();
  inspect(value, tally);
  return tally.characters;
}

/** The size of an object of a few texts and numbers side by side, as nearly all arguments are; -1 for any other. */
export function plainCharacters(input: Readonly<Record<string, unknown>>): number {
  if (Object.getPrototypeOf(input) !== Object.prototype) return -1;
  let characters = 0;
  for (const key in input) {
    const value = input[key];
    if (typeof value === 'string') {
      if (!value.isWellFormed()) return -1;
      characters += value.length;
    } else if (typeof value === 'number' || typeof value === 'boolean') characters += 1;
    else return -1;
    if (key === '' || !key.isWellFormed()) return -1;
  }
  return characters;
}

/** True for an object whose only enumerable keys are its own. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function inspectObject(value: object, tally: Tally, depth: number): void {
  tally.nodes += 1;
  if (depth >= MAX_DEPTH || tally.nodes > MAX_NODES) {
    tally.broken = true;
    return;
  }
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && !tally.broken; i += 1) inspect(value[i], tally, depth + 1);
    return;
  }
  const record = value as Record<string, unknown>;
  const plain = isPlain(value);
  if (!plain && isWhole(value)) {
    tally.characters += wholeSize(value);
    return;
  }
  if (tally.broken) return;
  for (const key in record) {
    if (!plain && !Object.hasOwn(record, key)) continue;
    const inner = record[key];
    if (!key.isWellFormed()) tally.lone = true;
    if (typeof inner === 'string') {
      tally.characters += inner.length;
      if (!inner.isWellFormed()) tally.lone = true;
    } else inspect(inner, tally, depth + 1);
    if (tally.broken) return;
  }
}

/** Bytes and addresses, which histories held in memory have in media: values of their own, not collections of keys. */
export function isWhole(value: object): boolean {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || isAddress(value);
}

/** Every runtime has this class, though it is not part of the language. */
declare const URL: new () => { readonly href: string };

function isAddress(value: object): value is { readonly href: string } {
  return value instanceof URL;
}

/** The types of the language do not know of it yet, and not every runtime has it. */
const { isRawJSON } = JSON as JSON & { readonly isRawJSON?: (value: unknown) => boolean };

/** A number as JSON had it, kept as its text because no number of the language holds all of its digits. */
export function isRaw(value: unknown): boolean {
  return isRawJSON?.(value) === true;
}

function wholeSize(value: object): number {
  return isAddress(value) ? value.href.length : (value as ArrayBufferView).byteLength;
}

/** A copy that JSON and UTF-8 can carry: lone surrogates become U+FFFD, what has no JSON becomes text or goes. */
export function mend(value: unknown): unknown {
  return mendAt(value, { nodes: 0, around: new Set() }, 0);
}

/** How much has been copied, and the objects around the place that is being copied. */
type Budget = { nodes: number; readonly around: Set<object> };

function mendAt(value: unknown, budget: Budget, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return value.toWellFormed();
    case 'bigint':
      return String(value);
    case 'function':
    case 'symbol':
      return null;
    case 'object':
      return value === null ? null : mendObject(value, budget, depth);
    default:
      return value;
  }
}

function mendObject(value: object, budget: Budget, depth: number): unknown {
  if (budget.around.has(value)) return '[contains itself]';
  budget.around.add(value);
  try {
    return mendKeys(value, budget, depth);
  } catch {
    // A list or an object whose very shape throws when it is asked for.
    return null;
  } finally {
    budget.around.delete(value);
  }
}

function mendKeys(value: object, budget: Budget, depth: number): unknown {
  budget.nodes += 1;
  if (isWhole(value) || isRaw(value)) return value;
  // One level less than an inspection allows, because the mended value is put back inside a message.
  if (depth >= MAX_DEPTH - 8 || budget.nodes > MAX_NODES / 100) return '[too deep or too large to send]';
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (let i = 0; i < value.length; i += 1) list.push(mendAt(readKey(value, i), budget, depth + 1));
    return list;
  }
  const copy: Record<string, unknown> = {};
  for (const key of safeKeys(value)) {
    let name = key.toWellFormed();
    while (Object.hasOwn(copy, name)) name += '_';
    setKey(copy, name, mendAt(readKey(value, key), budget, depth + 1));
  }
  return copy;
}

/** Own enumerable keys; none where even asking throws. */
export function safeKeys(value: object): string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

/** Reads a key that may be a throwing getter; undefined where it throws. */
export function readKey(value: object, key: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch {
    return undefined;
  }
}

/** Sets an own key, also one named `__proto__`. */
export function setKey(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

const NO_KEYS: Readonly<Record<string, unknown>> = {};

/** A copy of an object, of the same class, with some keys set (undefined removes a key). */
export function withKeys(source: unknown, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const from = isRecord(source) ? source : NO_KEYS;
  const prototype = Object.getPrototypeOf(from) as object | null;
  const changed = Object.keys(changes);
  if (prototype === Object.prototype && changed.every((key) => changes[key] !== undefined)) {
    // A spread keeps the shape of what was parsed, so that what reads it stays compiled.
    return from === NO_KEYS ? { ...changes } : { ...from, ...changes };
  }
  const copy = Object.create(prototype) as Record<string, unknown>;
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(changes, key)) setKey(copy, key, from[key]);
    else if (changes[key] !== undefined) setKey(copy, key, changes[key]);
  }
  for (const key of changed) {
    if (changes[key] !== undefined && !Object.hasOwn(copy, key)) setKey(copy, key, changes[key]);
  }
  // Some classes know their own by a symbol on each of them.
  for (const symbol of Object.getOwnPropertySymbols(from)) {
    Object.defineProperty(copy, symbol, Object.getOwnPropertyDescriptor(from, symbol) ?? {});
  }
  return copy;
}

/** How many keys an object has. Cheaper than naming them, and enough where all that are read are there. */
export function countKeys(wire: object): number {
  let count = 0;
  for (const key in wire) {
    void key;
    count += 1;
  }
  return count;
}

/** An object that is not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when a text has nothing to read in it. Cheap for texts that begin with a letter. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  if (first > 32 && first < 127) return false;
  return text.trim() === '';
}

/** JSON text of any value; never throws. */
export function readableJson(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed();
  const json = JSON.stringify(mend(value)) as string | undefined;
  return json ?? '';
}

/** True when two values are written as the same JSON, key by key in the same order; false where one cannot be read. */
export function sameJson(a: unknown, b: unknown): boolean {
  try {
    return sameAt(a, b, 0);
  } catch {
    return false;
  }
}

function sameAt(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b) || depth > MAX_DEPTH || Array.isArray(a) !== Array.isArray(b)) return false;
  // A list may have holes, which its keys do not show.
  if (Array.isArray(a) && a.length !== (b as unknown as unknown[]).length) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  if (keys.length !== others.length) return false;
  return keys.every((key, i) => key === others[i] && sameAt(a[key], b[key], depth + 1));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
