import { basename, dirname, join } from 'node:path';

import { findFiles } from '../files/find-files.ts';
import { readDocument } from '../files/read-document.ts';
import { isObject, textAt, type JsonObject } from '../json.ts';
import type { Pieces } from '../pieces/piece.ts';
import { wholeFile } from '../place.ts';

/** An event of the older program: who caused it, and what was done or seen. */
export const isOldEvent = (value: unknown): value is JsonObject =>
  isObject(value) &&
  textAt(value, 'source') !== undefined &&
  (textAt(value, 'action') !== undefined || textAt(value, 'observation') !== undefined);

/** An event of the present program, which names its class. */
export const isNewEvent = (value: unknown): value is JsonObject =>
  isObject(value) &&
  textAt(value, 'source') !== undefined &&
  /(?:Event|Observation|Condensation(?:Request)?)$/.test(textAt(value, 'kind') ?? '');

/** The file that says what a conversation is: its events lie beside it. */
export const isState = (value: unknown): value is JsonObject =>
  isObject(value) &&
  isObject(value['agent']) &&
  textAt(value, 'id') !== undefined &&
  Object.hasOwn(value, 'execution_status');

/** The folder of the events, where a file of the conversation is one of it. */
export function eventFolder(path: string, document: unknown): string | undefined {
  if (isState(document)) return join(dirname(path), 'events');
  const isEvent = isOldEvent(document) || isNewEvent(document);
  return isEvent && basename(dirname(path)) === 'events' ? dirname(path) : undefined;
}

/** The events of a folder, a file each, in the order of their numbers. */
export const folderPieces = (folder: string): Pieces =>
  async function* pieces(faults) {
    const files = await findFiles({ folder, files: '*.json' });
    const numbered = files.map(({ path }) => ({
      path,
      number: Number(/^(?:event-)?(\d+)/.exec(basename(path))?.[1] ?? -1),
    }));
    for (const { path } of numbered.filter(({ number }) => number >= 0).sort((a, b) => a.number - b.number)) {
      const value = await readDocument(path, faults);
      if (isObject(value)) yield { place: wholeFile(path), type: typeOf(value), value };
      else if (value !== undefined) faults.add('bad-record', wholeFile(path), 'This file holds no event.');
    }
  };

export const typeOf = (value: JsonObject): string =>
  textAt(value, 'kind') ?? textAt(value, 'action') ?? textAt(value, 'observation') ?? '';
