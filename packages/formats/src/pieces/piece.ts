import type { FaultLog } from '../fault.ts';
import { readRecords } from '../files/log-file.ts';
import type { Flaw } from '../files/parse-line.ts';
import { isObject, isTooDeep, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Entry } from '../session.ts';
import { openDatabase } from '../sqlite/open-database.ts';

/** One record of a session, in whatever form it is kept: a line of a log, a row, or a value of a document. */
export type Piece = Entry & { readonly flaws?: readonly Flaw[] };

/** Walks over the records of a session, as often as it is asked to. One is held at a time. */
export type Pieces = (faults: FaultLog) => AsyncIterable<Piece>;

type Named = { readonly typeOf?: (value: JsonObject) => string };

const typeIn = (value: JsonObject): string => textAt(value, 'type') ?? textAt(value, 'role') ?? '';

export const linePieces = (file: string, isRecord: (value: JsonObject) => boolean, named: Named = {}): Pieces =>
  async function* pieces(faults) {
    const { typeOf = typeIn } = named;
    for await (const { value, place, flaws } of readRecords({ file, isRecord, faults })) {
      yield { value, place, flaws, type: typeOf(value) };
    }
  };

type Listed = Named & { readonly file: string; readonly pointer: string; readonly list: readonly unknown[] };

export const valuePieces = ({ file, pointer, list, typeOf = typeIn }: Listed): Pieces =>
  async function* pieces(faults) {
    for (const [index, value] of list.entries()) {
      const place = { kind: 'value', file, pointer: `${pointer}/${index}` } as const;
      if (isObject(value)) yield await Promise.resolve({ place, type: typeOf(value), value });
      else faults.add('bad-record', place, 'This is no record: a record is an object.');
    }
  };

type Rows = Named & {
  readonly path: string;
  readonly table: string;
  /** The column that rows are known by. */
  readonly key: string;
  readonly sql: string;
  readonly values?: readonly (string | number)[];
  /** A column that holds JSON: its keys become keys of the value, unless the row has them too. */
  readonly unpack?: string;
};

export const rowPieces = ({ path, table, key, sql, values = [], unpack, typeOf = typeIn }: Rows): Pieces =>
  async function* pieces(faults) {
    const database = await openDatabase(path, faults);
    if (database === undefined) return;
    try {
      for (const row of database.rows(sql, ...values)) {
        const id = row[key];
        const place = { kind: 'row', database: path, table, row: typeof id === 'number' ? id : String(id) } as const;
        const value = unpack === undefined ? row : unpackRow(row, unpack);
        if (value === undefined) faults.add('not-json', place, `The column ${unpack ?? ''} of this row is no JSON.`);
        else yield { place, type: typeOf(value), value };
      }
    } finally {
      database.close();
    }
  };

function unpackRow(row: JsonObject, column: string): JsonObject | undefined {
  const { [column]: packed, ...rest } = row;
  const held = typeof packed === 'string' ? parseJson(packed) : packed;
  if (held === undefined || isTooDeep(held)) return undefined;
  return isObject(held) ? { ...held, ...rest } : { ...rest, [column]: held };
}

export async function* entriesOf(pieces: Pieces, faults: FaultLog): AsyncGenerator<Entry> {
  for await (const { place, type, value } of pieces(faults)) yield { place, type, value };
}
