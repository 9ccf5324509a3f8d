/** How deep the JSON of a request may be nested; parsers of providers stop about there. */
export const MAX_DEPTH = 1024;

/** Whether a value is nested deeper than this; nothing below that is looked at, so that no stack overflows. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) {
    for (const entry of value) if (isDeeperThan(entry, limit - 1)) return true;
    return false;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key in fields) if (isDeeperThan(fields[key], limit - 1)) return true;
  return false;
}
