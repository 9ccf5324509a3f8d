import { isObject, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { valuePieces, type Piece, type Pieces } from '../pieces/piece.ts';
import { readPieces, type Choice, type Kept, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile, type Place } from '../place.ts';
import type { Reading } from '../session.ts';
import type { Database } from '../sqlite/database.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';
import { decodeValue, idOf, isMessage, messagesIn } from './checkpoint.ts';
import { listIn, NEWEST, titleOf } from './detect.ts';

/** The newest version of a checkpoint that is known here. */
const VERSION = 4;

export async function read(source: Source): Promise<Reading> {
  const { path, sample, faults } = source;
  if (sample.database !== undefined) return readDatabase(source, sample.database);
  const document = sample.document();
  const list = listIn(document) ?? [];
  const pieces = valuePieces({ file: path, pointer: Array.isArray(document) ? '' : '/messages', list });
  return readPieces<Mark>(
    { pieces, follow: () => meaningOf, dialect: () => 'langchain', copes: [], about: { title: titleOf(list) } },
    faults,
  );
}

type Mark = { readonly id: string | undefined; readonly removes: boolean };

async function readDatabase({ path, sample, session, faults }: Source, database: Database): Promise<Reading> {
  reportDamage(database, sample.bytes, faults);
  const [last] = database.rows('SELECT thread_id FROM checkpoints ORDER BY checkpoint_id DESC LIMIT 1');
  const id = session ?? textAt(last, 'thread_id');
  const [row] = id === undefined ? [] : database.rows(NEWEST, id);
  if (row === undefined) faults.add('missing-head', wholeFile(path), 'There is no such thread in here.');
  const checkpoint = row === undefined ? undefined : decodeValue(row['type'], row['checkpoint']);
  const version = isObject(checkpoint) ? checkpoint['v'] : undefined;
  if (typeof version === 'number' && version > VERSION) {
    faults.add('newer-version', wholeFile(path), `Version ${version} is newer than what is known here (${VERSION}).`);
  }
  return readPieces<Mark>(
    {
      pieces: checkpointPieces(path, id ?? ''),
      follow: () => meaningOf,
      choose,
      dialect: () => 'langchain',
      copes: [],
      about: {
        id,
        title: titleOf(messagesIn(checkpoint)),
        version: typeof version === 'number' ? String(version) : undefined,
        time: textAt(checkpoint, 'ts'),
      },
    },
    faults,
  );
}

/** The messages of the newest state of a thread, and those that steps have written since: a resume adds them. */
const checkpointPieces = (path: string, thread: string): Pieces =>
  async function* pieces(faults) {
    const database = await openDatabase(path, faults);
    if (database === undefined) return;
    try {
      for (const row of database.rows(NEWEST, thread)) {
        const place: Place = { kind: 'row', database: path, table: 'checkpoints', row: String(row['checkpoint_id']) };
        const checkpoint = decodeValue(row['type'], row['checkpoint']);
        if (checkpoint === undefined) faults.add('not-json', place, 'This checkpoint cannot be decoded.');
        yield* messagePieces(messagesIn(checkpoint), place);
        if (database.tables.has('writes')) yield* writePieces(database, row);
      }
    } finally {
      database.close();
    }
  };

function* messagePieces(messages: readonly unknown[], place: Place): Generator<Piece> {
  for (const value of messages) if (isObject(value)) yield { place, type: textAt(value, 'type') ?? '', value };
}

function* writePieces(database: Database, { thread_id, checkpoint_ns, checkpoint_id }: JsonObject): Generator<Piece> {
  const sql = `SELECT * FROM writes WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?
    ORDER BY task_id, idx`;
  for (const row of database.rows(sql, String(thread_id), String(checkpoint_ns), String(checkpoint_id))) {
    const value = decodeValue(row['type'], row['value']);
    const written = (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isMessage);
    const number = `${String(row['task_id'])}/${String(row['idx'])}`;
    yield* messagePieces(written, { kind: 'row', database: database.path, table: 'writes', row: number });
  }
}

/** A message with an id that is known takes the place of the one before; one that says so removes it. */
function choose(kept: readonly Kept<Mark>[]): Choice {
  const absent = new Map<number, 'repeated' | 'rewound'>();
  const places = new Map<string, number>();
  for (const [index, { mark }] of kept.entries()) {
    if (mark?.id === undefined) continue;
    const before = places.get(mark.id);
    if (before !== undefined) absent.set(before, mark.removes ? 'rewound' : 'repeated');
    if (mark.removes) absent.set(index, 'rewound');
    else places.set(mark.id, index);
  }
  return { absent };
}

function meaningOf({ value }: Piece): Meaning<Mark> {
  if (!isMessage(value) && textAt(value, 'role') === undefined && textAt(value, 'type') === undefined) {
    return { unknown: 'This is no message.' };
  }
  const data = objectAt(value, 'data') ?? objectAt(value, 'kwargs') ?? value;
  const metadata = objectAt(data, 'response_metadata');
  const model = textAt(metadata, 'model_name') ?? textAt(metadata, 'model');
  const removes = value['type'] === 'remove';
  return {
    wire: [value],
    mark: { id: idOf(value), removes },
    ...optional('notes', model === undefined ? undefined : { model }),
  };
}
