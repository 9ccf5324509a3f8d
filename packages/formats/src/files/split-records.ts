/** A stretch of a line: `from` inclusive, `to` exclusive, in bytes. Filler is what a power cut or an editor leaves. */
export type Stretch = { readonly what: 'record' | 'torn' | 'filler'; readonly from: number; readonly to: number };

const MARKS = /["{}]/g;
const FILLER = /(?:\0|\u00EF\u00BB\u00BF)+/y;
const BLANK = /[ \t\r]*/y;

/** The work that may go into one line, as a multiple of its length. */
const EFFORT = 8;

/**
 * Divides a line that is not one JSON value into whole records and torn pieces: two writers, or a write that failed
 * halfway, leave several on one line. `isRecord` tells a record from an object that merely stands inside of a torn one.
 * The line is given with one character for each byte.
 */
export function splitRecords(line: string, isRecord: (text: string) => boolean): Stretch[] {
  const found: Stretch[] = [];
  const budget = { left: Math.max(line.length, 1024) * EFFORT };
  for (let at = endOf(BLANK, line, 0); at < line.length;) {
    const stretch = stretchAt(line, at, { isRecord, budget });
    found.push(stretch);
    at = endOf(BLANK, line, stretch.to);
  }
  return found;
}

function stretchAt(line: string, from: number, search: Search): Stretch {
  const filled = endOf(FILLER, line, from);
  if (filled > from) return { what: 'filler', from, to: filled };
  const end = recordEnd(line, from, search);
  if (end !== undefined) return { what: 'record', from, to: end };
  return { what: 'torn', from, to: nextRecord(line, from + 1, search) };
}

type Search = { readonly isRecord: (text: string) => boolean; readonly budget: { left: number } };

/** Where the next whole record begins; the end of the line when there is none. */
function nextRecord(line: string, from: number, search: Search): number {
  for (let at = line.indexOf('{"', from); at !== -1; at = line.indexOf('{"', at + 1)) {
    if (search.budget.left <= 0) break;
    if (recordEnd(line, at, search) !== undefined) return at;
  }
  return line.length;
}

function recordEnd(line: string, from: number, { isRecord, budget }: Search): number | undefined {
  if (line[from] !== '{') return undefined;
  const end = objectEnd(line, from);
  budget.left -= (end ?? line.length) - from;
  return end !== undefined && isRecord(line.slice(from, end)) ? end : undefined;
}

/** Where the object that begins at `from` ends, going by braces outside of strings. */
function objectEnd(line: string, from: number): number | undefined {
  let depth = 0;
  MARKS.lastIndex = from;
  for (let found = MARKS.exec(line); found !== null; found = MARKS.exec(line)) {
    if (found[0] === '"') {
      const end = stringEnd(line, found.index);
      if (end === undefined) return undefined;
      MARKS.lastIndex = end;
    } else {
      depth += found[0] === '{' ? 1 : -1;
      if (depth === 0) return found.index + 1;
    }
  }
  return undefined;
}

function stringEnd(line: string, from: number): number | undefined {
  for (let at = line.indexOf('"', from + 1); at !== -1; at = line.indexOf('"', at + 1)) {
    let slashes = 0;
    while (line[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return undefined;
}

function endOf(pattern: RegExp, line: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(line)?.[0].length ?? 0);
}
