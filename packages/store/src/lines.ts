import { StoreError } from './store-error.ts';

/** Bytes in one piece, or in chunks as they arrive. */
export type ByteSource = Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const tooLong = (limit: number): StoreError =>
  new StoreError('unstorable', `a line has more than ${limit} bytes; raise recordLimit to accept it`);

/**
 * Splits a stream into lines without their line feeds. A line over the limit is refused before it is held in memory.
 */
export async function* linesOf(source: ByteSource, limit: number): AsyncGenerator<Uint8Array> {
  let [parts, length]: [Uint8Array[], number] = [[], 0];
  for await (const chunk of source instanceof Uint8Array ? [source] : source) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      if (length + end - from > limit) throw tooLong(limit);
      parts.push(chunk.subarray(from, end));
      yield Buffer.concat(parts, length + end - from);
      [parts, length] = [[], 0];
      from = end + 1;
    }
    length += chunk.length - from;
    // The source may reuse its buffer, so the rest is copied.
    parts.push(chunk.slice(from));
    if (length > limit) throw tooLong(limit);
  }
  if (length > 0) yield Buffer.concat(parts, length);
}
