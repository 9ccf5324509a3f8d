/** A JSON object as it was parsed: nothing is known about it. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectAt = (value: unknown, key: string): JsonObject | undefined => {
  const held = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return isObject(held) ? held : undefined;
};

export const textAt = (value: unknown, key: string): string | undefined => {
  const held = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof held === 'string' ? held : undefined;
};

export const numberAt = (value: unknown, key: string): number | undefined => {
  const held = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return typeof held === 'number' ? held : undefined;
};

export const listAt = (value: unknown, key: string): readonly unknown[] => {
  const held = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return Array.isArray(held) ? held : [];
};

/** A key that is there only when it has a value. */
export const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

/** Deeper values would overflow the stack of whoever writes them as JSON again. */
const DEEPEST = 1000;

export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth >= DEEPEST) return true;
  const held: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return held.some((each) => isTooDeep(each, depth + 1));
}

/** Characters of text in a value: the measure of how much of a session a request contains. */
export function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const held: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let sum = 0;
  for (const each of held) sum += charactersOf(each);
  return sum;
}

/** Parses a text as JSON; undefined when it is not. JSON itself has no `undefined`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
