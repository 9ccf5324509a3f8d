import { readFile } from 'node:fs/promises';

import type { FaultLog } from '../fault.ts';
import { isTooDeep, parseJson } from '../json.ts';
import { wholeFile } from '../place.ts';
import { openFile } from './open-file.ts';

/** A larger document is not read: it would not fit into a string with room to work. */
export const LARGEST_DOCUMENT: number = 256 * 2 ** 20;

/** Reads a JSON document that belongs to a session; undefined, and a fault, when there is none to be read. */
export async function readDocument(path: string, faults: FaultLog): Promise<unknown> {
  const opened = await openFile(path, faults);
  if (opened === undefined) return undefined;
  try {
    if (opened.bytes > LARGEST_DOCUMENT) {
      faults.add('too-long', wholeFile(path), `A document is read as a whole, and this one has ${opened.bytes} bytes.`);
      return undefined;
    }
    const value = parseDocument(await readFile(opened.handle, 'utf8'));
    if (value === undefined) faults.add('not-json', wholeFile(path), 'This file is no JSON, or nested too deeply.');
    return value;
  } catch {
    faults.add('unreadable', wholeFile(path), 'This file cannot be read.');
    return undefined;
  } finally {
    await opened.handle.close();
  }
}

/** The value of a document; undefined when it is no JSON, or nested too deeply to be worked with. */
export function parseDocument(text: string): unknown {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  return isTooDeep(value) ? undefined : value;
}
