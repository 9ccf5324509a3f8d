import { isPlainId } from './call-id.ts';

const FACTOR = 2654435761;

/** The mark of an id that was not looked at closely, and of one that is not plain. No other id has these. */
export const UNMARKED = 1;
export const NOT_PLAIN = 0;

/** What an id looks like, as one number: the same for the same ids, and another for nearly all others. */
export function markOf(id: string): number {
  let mark = id.length;
  let i = 0;
  for (const last = id.length - 3; i < last; i += 4) {
    const low = id.charCodeAt(i) ^ (id.charCodeAt(i + 1) << 8);
    const high = id.charCodeAt(i + 2) ^ (id.charCodeAt(i + 3) << 8);
    mark = Math.imul(mark ^ low ^ (high << 16), FACTOR);
  }
  for (; i < id.length; i += 1) mark = Math.imul(mark ^ id.charCodeAt(i), FACTOR);
  return own(mark);
}

/** The mark of an id of plain letters. Each letter is read once for both, because to read it is most of the work. */
export function plainMark(id: string): number {
  if (marked >= WARM) return markOfPlain(id);
  marked += 1;
  return isPlainId(id) ? UNMARKED : NOT_PLAIN;
}

/** A loop is slow until it is hot. */
const WARM = 1_000;
let marked = 0;

const PLAIN = new Uint8Array(128).map((_, unit) => (isPlainId(String.fromCharCode(unit)) ? 1 : 0));

function markOfPlain(id: string): number {
  let mark = id.length;
  let i = 0;
  for (const last = id.length - 3; i < last; i += 4) {
    const [a, b] = [id.charCodeAt(i), id.charCodeAt(i + 1)];
    const [c, d] = [id.charCodeAt(i + 2), id.charCodeAt(i + 3)];
    if (PLAIN[a] !== 1 || PLAIN[b] !== 1 || PLAIN[c] !== 1 || PLAIN[d] !== 1) return NOT_PLAIN;
    mark = Math.imul(mark ^ a ^ (b << 8) ^ ((c ^ (d << 8)) << 16), FACTOR);
  }
  for (; i < id.length; i += 1) {
    const unit = id.charCodeAt(i);
    if (PLAIN[unit] !== 1) return NOT_PLAIN;
    mark = Math.imul(mark ^ unit, FACTOR);
  }
  return id === '' ? NOT_PLAIN : own(mark);
}

/** A mark that says nothing but what an id looks like. */
function own(mark: number): number {
  return mark === UNMARKED || mark === NOT_PLAIN ? FACTOR | 0 : mark;
}
