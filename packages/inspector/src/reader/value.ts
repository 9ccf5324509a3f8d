/** A JSON object as it was parsed: nothing is known about it. */
export type JsonObject = { readonly [key: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

export const objectAt = (value: unknown, key: string): JsonObject | undefined => {
  const held = at(value, key);
  return isObject(held) ? held : undefined;
};

/** The first of some keys that holds a text. */
export function textAt(value: unknown, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const held = at(value, key);
    if (typeof held === 'string') return held;
  }
  return undefined;
}

/** The first of some keys that holds a number. */
export function numberAt(value: unknown, ...keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const held = at(value, key);
    if (typeof held === 'number' && Number.isFinite(held)) return held;
  }
  return undefined;
}

export const listAt = (value: unknown, key: string): readonly unknown[] => {
  const held = at(value, key);
  return Array.isArray(held) ? held : [];
};

/** A key that is there only when it has a value. */
export const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

/** A value as text that people can read; never throws. */
export function jsonOf(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    return 'This value cannot be shown.';
  }
}
