/** One line of a file, without its line feed. */
export type Line = {
  /** From 1. */
  readonly number: number;
  /** Where `data` begins in the file. */
  readonly byte: number;
  readonly data: Buffer;
  /** So many NUL bytes stood before `data`: a power cut leaves them, sometimes by the gigabyte. */
  readonly nuls: number;
  /** False for a last line that no line feed ends. */
  readonly ended: boolean;
  /** The length of a line that is too long to be held; `data` is then its beginning. */
  readonly tooLong?: number;
};

export type LineSplitter = {
  readonly push: (chunk: Buffer) => Line[];
  readonly end: () => Line[];
};

/** A longer line than this does not fit into a JavaScript string with room to work. */
const LONGEST = 256 * 2 ** 20;
const KEPT = 4096;

/** Divides bytes at line feeds, and at nothing else: U+2028, NEL and lone carriage returns are content. */
export function createLineSplitter(longest: number = LONGEST): LineSplitter {
  let [number, byte, nuls, length] = [1, 0, 0, 0];
  let pieces: Buffer[] = [];
  const append = (piece: Buffer): void => {
    const skipped = length === 0 ? leadingNuls(piece) : 0;
    nuls += skipped;
    byte += skipped;
    const rest = piece.subarray(skipped);
    length += rest.length;
    if (length <= longest) pieces.push(rest);
    else if (length - rest.length <= longest) pieces = [Buffer.concat([...pieces, rest]).subarray(0, KEPT)];
  };
  const take = (ended: boolean): Line => {
    const data = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
    const line = { number, byte, data, nuls, ended, ...(length > longest ? { tooLong: length } : {}) };
    [number, byte, nuls, length] = [number + 1, byte + length + 1, 0, 0];
    pieces = [];
    return line;
  };
  return {
    push(chunk) {
      const lines: Line[] = [];
      let start = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, start)) {
        append(chunk.subarray(start, at));
        lines.push(take(true));
        start = at + 1;
      }
      append(chunk.subarray(start));
      return lines;
    },
    end: () => (length > 0 || nuls > 0 ? [take(false)] : []),
  };
}

function leadingNuls(piece: Buffer): number {
  let count = 0;
  while (piece[count] === 0) count += 1;
  return count;
}
