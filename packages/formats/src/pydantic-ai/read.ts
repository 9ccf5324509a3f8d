import { isObject, isTooDeep, optional, parseJson, textAt } from '../json.ts';
import { linePieces, valuePieces, type Piece, type Pieces } from '../pieces/piece.ts';
import { readPieces, type Meaning } from '../pieces/read-pieces.ts';
import { wholeFile, type Place } from '../place.ts';
import type { Reading, RuleId } from '../session.ts';
import { openDatabase } from '../sqlite/open-database.ts';
import { reportDamage } from '../sqlite/report-damage.ts';
import type { Source } from '../tool.ts';
import { isExchange, isHistory, promptIn } from './detect.ts';

/** The library joins requests in a row, and what a provider asks for beyond that it leaves to others. */
const COPES: readonly RuleId[] = ['consecutive-requests'];

export async function read({ path, sample, faults }: Source): Promise<Reading> {
  const { database, bytes } = sample;
  if (database !== undefined) reportDamage(database, bytes, faults);
  const document = database === undefined ? sample.document() : undefined;
  const isTorn = database === undefined && document === undefined && sample.text.trimStart().startsWith('[');
  if (isTorn) faults.add('torn', wholeFile(path), 'This document was cut off.');
  const pieces =
    database !== undefined
      ? rowPieces(path)
      : isTorn || isHistory(document)
        ? valuePieces({ file: path, pointer: '', list: isHistory(document) ? document : [], typeOf })
        : linePieces(path, isExchange, { typeOf });
  return readPieces<undefined>({ pieces, follow: () => meaningOf, dialect: () => 'pydantic-ai', copes: COPES }, faults);
}

const typeOf = (value: Piece['value']): string => textAt(value, 'kind') ?? '';

/** A row holds the messages of one run, as a list. */
const rowPieces = (path: string): Pieces =>
  async function* pieces(faults) {
    const database = await openDatabase(path, faults);
    if (database === undefined) return;
    try {
      for (const { number, list } of database.rows(
        'SELECT rowid AS number, message_list AS list FROM messages ORDER BY rowid',
      )) {
        const place: Place = { kind: 'row', database: path, table: 'messages', row: Number(number) };
        const text = list instanceof Uint8Array ? Buffer.from(list).toString('utf8') : String(list);
        const messages = parseJson(text);
        if (!Array.isArray(messages) || isTooDeep(messages))
          faults.add('not-json', place, 'This row holds no list of messages.');
        else for (const value of messages) if (isObject(value)) yield { place, type: typeOf(value), value };
      }
    } finally {
      database.close();
    }
  };

function meaningOf({ value }: Piece): Meaning<undefined> {
  if (!isExchange(value)) return { unknown: 'This is no message.' };
  const notes = {
    model: textAt(value, 'model_name'),
    time: textAt(value, 'timestamp'),
    ...optional('prompt', promptIn(value)),
  };
  return { wire: [value], notes };
}
