import { endOfString } from './json-string.ts';
import type { Range } from './pieces.ts';

const marks = /["{}[\]]/g;

/** Where the object ends that begins at `from`, or the end of the text where its brackets are never closed. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  marks.lastIndex = from;
  for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
    if (found[0] === '"') marks.lastIndex = endOfString(text, found.index);
    else depth += found[0] === '{' || found[0] === '[' ? 1 : -1;
    if (depth === 0) return found.index + 1;
  }
  return text.length;
}

const filled = /[^ \t]/g;

/**
 * Divides a line wherever one object ends and the next begins; what stands in a string decides nothing. Gives none for
 * a line that is not made of two or more of them. The last one may be torn.
 */
export function splitRecords(line: Uint8Array): readonly Range[] {
  // One character for each byte: all that is looked for is ASCII, which is no part of any other character in UTF-8.
  const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString('latin1');
  const records: Range[] = [];
  let at = 0;
  for (;;) {
    filled.lastIndex = at;
    const found = filled.exec(text);
    if (found === null) return records.length > 1 ? records : [];
    if (found[0] !== '{') return [];
    at = endOfObject(text, found.index);
    records.push({ start: found.index, end: at });
  }
}
