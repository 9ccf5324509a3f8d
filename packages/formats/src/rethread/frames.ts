import type { FaultLog } from '../fault.ts';
import { readLines } from '../files/log-file.ts';
import { isObject, isTooDeep, parseJson, textAt, type JsonObject } from '../json.ts';
import type { Piece, Pieces } from '../pieces/piece.ts';
import type { LinePlace } from '../place.ts';

/** A line of a log: a check of its bytes, a number, a length, the record, and what the store notes beside it. */
export function frameOf(
  text: string,
): { readonly value: JsonObject | undefined; readonly note: JsonObject | undefined } | undefined {
  const frame = parseJson(text);
  if (!Array.isArray(frame) || typeof frame[0] !== 'string' || typeof frame[1] !== 'number') return undefined;
  const [, , , value, note] = frame as unknown[];
  return { value: isObject(value) && !isTooDeep(value) ? value : undefined, note: isObject(note) ? note : undefined };
}

/** The records of a log. Its first line says what the session is. */
export const framePieces = (file: string): Pieces =>
  async function* pieces(faults: FaultLog): AsyncGenerator<Piece> {
    for await (const { number, byte, data, nuls, ended } of readLines(file, faults)) {
      const place: LinePlace = { kind: 'line', file, line: number, byte, bytes: data.length };
      if (nuls > 0) faults.add('nul', place, `${nuls} NUL bytes stand here.`);
      const text = data.toString('utf8').trim();
      if (text === '') continue;
      const frame = frameOf(text);
      if (frame === undefined) {
        faults.add(
          ended ? 'not-json' : 'torn',
          place,
          'This line is no record: the store reports it, and mends its tail.',
        );
        continue;
      }
      const value = frame.value ?? frame.note ?? {};
      yield { place, type: textAt(value, 'kind') ?? 'session', value };
    }
  };
