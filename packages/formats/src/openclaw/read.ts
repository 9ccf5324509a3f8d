import { dirname, join } from 'node:path';

import { createFaultLog, type FaultLog } from '../fault.ts';
import { isFile } from '../files/file-stat.ts';
import { readRecords } from '../files/log-file.ts';
import { optional, textAt, type JsonObject } from '../json.ts';
import { isRecord } from '../pi/entries.ts';
import { logTree, readTree } from '../pi/read.ts';
import { linePieces } from '../pieces/piece.ts';
import { readPieces } from '../pieces/read-pieces.ts';
import { wholeFile } from '../place.ts';
import type { Reading } from '../session.ts';
import { titleFrom } from '../title.ts';
import type { Source } from '../tool.ts';
import { databaseTree, sessionIn } from './database-tree.ts';
import { isBare, isStandIn } from './detect.ts';
import { retell } from './retell.ts';

const OURS = {
  tool: 'OpenClaw',
  version: 4,
  unsent: (entry: JsonObject) => (isStandIn(entry) ? ('reworded' as const) : undefined),
  retell,
};

export async function read(source: Source): Promise<Reading> {
  const { path, sample, faults } = source;
  if (sample.database !== undefined) return readDatabase(source);
  if (sample.head.length > 0 && sample.head.every(isBare)) return readBare(path, faults);
  const reading = await readTree({ ...OURS, ...logTree(path) }, faults);
  const database = join(dirname(dirname(path)), 'agent', 'openclaw-agent.sqlite');
  if (!(await isFile(database))) return reading;
  const note = 'OpenClaw reads its database since September 2026; this file is what was left by its migration.';
  faults.add('stale-index', wholeFile(path), note);
  return { ...reading, related: [...reading.related, { kind: 'base', path: database, isThere: true }] };
}

async function readDatabase(source: Source): Promise<Reading> {
  const { path, faults } = source;
  const session = sessionIn(source);
  const tree = databaseTree(path, session, source);
  const reading = await readTree({ ...OURS, ...tree }, faults);
  const log = join(dirname(dirname(path)), 'sessions', `${session}.jsonl`);
  if (!/^[\w-]+$/.test(session) || !(await isFile(log))) return { ...reading, ...optional('id', session || undefined) };
  await compareWithLog(log, reading, faults);
  return { ...reading, related: [...reading.related, { kind: 'base', path: log, isThere: true }] };
}

/** A migration may have missed entries, or the old program may have gone on writing to its log. */
async function compareWithLog(log: string, reading: Reading, faults: FaultLog): Promise<void> {
  const known = new Set<string>();
  let newest = '';
  for await (const { value } of reading.entries()) {
    known.add(textAt(value, 'id') ?? '');
    newest = later(newest, value);
  }
  let [missing, last] = [0, ''];
  for await (const { value } of readRecords({ file: log, isRecord, faults: createFaultLog() })) {
    const id = textAt(value, 'id');
    if (id !== undefined && !known.has(id)) missing += 1;
    last = later(last, value);
  }
  if (missing === 0) return;
  const which = last > newest ? 'newer' : 'older';
  const note = `${missing} entries of this file are not in the database; the last one is ${which} than all in there.`;
  faults.add('stale-index', wholeFile(log), note);
}

const later = (time: string, entry: JsonObject): string => {
  const own = textAt(entry, 'timestamp') ?? '';
  return own > time ? own : time;
};

/** Messages without a tree around them. */
const readBare = async (path: string, faults: FaultLog): Promise<Reading> =>
  readPieces<undefined>(
    {
      pieces: linePieces(path, isBare),
      follow:
        () =>
        ({ value }) => ({
          wire: [{ role: value['role'], content: value['content'] }],
          notes: {
            time: textAt(value, 'timestamp'),
            ...(value['role'] === 'user' ? optional('prompt', titleFrom(textAt(value, 'content'))) : {}),
          },
          ...(isBare(value) ? {} : { unknown: 'This is no message.', absent: 'hidden' as const }),
        }),
      dialect: () => 'anthropic-messages',
      copes: [],
      about: { id: path },
    },
    faults,
  );
