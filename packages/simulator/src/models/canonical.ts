import { isObject } from '../judges/docket.ts';

/** JSON with its keys in order and without one of them, so that a client that writes it otherwise changes nothing. */
export function canonical(value: unknown, skipped?: string): string {
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry, skipped)).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const fields: string[] = [];
  for (const key of Object.keys(value).sort()) {
    if (key === skipped || value[key] === undefined) continue;
    fields.push(`${JSON.stringify(key)}:${canonical(value[key], skipped)}`);
  }
  return `{${fields.join()}}`;
}
