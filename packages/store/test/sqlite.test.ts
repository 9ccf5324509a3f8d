import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';

import { conformance } from '../src/conformance/index.ts';
import { openSqlite } from '../src/drivers/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'rethread-sqlite-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the SQLite driver passes the conformance suite', () => {
  conformance({ test, open: (place, options) => openSqlite(`sqlite:${join(folder, `${place}.db`)}`, options) });
});
