import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { temporaryFolder } from './temporary-folder.ts';

/** A database made by some SQL, which goes away with the test. */
export function makeDatabase(sql: string, name: string = 'session.db'): string {
  const path = join(temporaryFolder({ [join(name, '../x')]: '' }), name);
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  return path;
}

/** Databases are no text: their fixtures are the SQL that makes them. */
export const fixturePath = (file: string): string =>
  file.endsWith('.sql') ? makeDatabase(readFileSync(file, 'utf8')) : file;
