import { writeFileSync } from 'node:fs';

import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';

const ofLines = /\.(jsonl|ndjson)$/i;

/** A list in a file whose name says that it has lines is one message in each line; anything else is one JSON text. */
function textOf(path: string, value: unknown): string {
  const lines = Array.isArray(value) && ofLines.test(path) ? value.map((each) => JSON.stringify(each)) : undefined;
  return lines === undefined ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${line}\n`).join('');
}

/** Writes a file that is not there yet: what a command makes never takes the place of a session. */
export function saveNew(path: string, value: unknown): void {
  try {
    writeFileSync(path, textOf(path, value), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const reason = systemCode(error) === 'EEXIST' ? 'is there already; name another file' : undefined;
    throw new Unreadable(reason ?? `cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}
