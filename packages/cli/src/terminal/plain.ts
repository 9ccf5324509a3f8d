const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const read = (owner: object, key: string): unknown => {
  try {
    return (owner as Readonly<Record<string, unknown>>)[key];
  } catch {
    return '[unreadable]';
  }
};

function copy(value: unknown, above: readonly object[]): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `[${value}]`;
  if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (value === undefined) return '[undefined]';
  if (!isObject(value)) return value;
  if (above.includes(value)) return '[circular]';
  const within = [...above, value];
  if (Array.isArray(value)) return value.map((each: unknown) => copy(each, within));
  return Object.fromEntries(Object.keys(value).map((key) => [key, copy(read(value, key), within)]));
}

/** A copy of any value that can be written as JSON; what JSON has no form for is named in brackets. */
export function plain(value: unknown): unknown {
  return copy(value, []);
}
