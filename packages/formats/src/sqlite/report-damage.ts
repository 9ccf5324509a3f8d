import type { FaultLog } from '../fault.ts';
import { wholeFile } from '../place.ts';
import type { Database } from './database.ts';

/** A larger database is not checked: that reads all of it. */
const LARGEST = 256 * 2 ** 20;

/** Reports what SQLite finds wrong with a database. Rows that damage has cut off are missing without an error. */
export function reportDamage(database: Database, bytes: number, faults: FaultLog): void {
  if (bytes > LARGEST) return;
  for (const row of database.rows('PRAGMA quick_check(20)')) {
    const found = String(Object.values(row)[0]);
    if (found !== 'ok') faults.add('unreadable', wholeFile(database.path), `SQLite finds damage: ${found}.`);
  }
}
