import { writeFileSync } from 'node:fs';

import { Unreadable, reasonOf, systemCode } from '../unreadable.ts';

/** Writes a file that is not there yet: what a command makes never takes the place of a session. */
export function saveNew(path: string, value: unknown): void {
  try {
    writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const reason = systemCode(error) === 'EEXIST' ? 'is there already; name another file' : undefined;
    throw new Unreadable(reason ?? `cannot be written: ${reasonOf(error)}`, { cause: error });
  }
}
