import type { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';

const polynomial = 0xedb88320;

/** Multiplies two polynomials over the field of CRC-32; the highest bit is the power zero. */
function times(one: number, two: number): number {
  let [product, factor] = [0, two];
  for (let bit = 0x8000_0000; bit !== 0; bit >>>= 1) {
    if ((one & bit) !== 0) product ^= factor;
    factor = (factor & 1) === 0 ? factor >>> 1 : (factor >>> 1) ^ polynomial;
  }
  return product >>> 0;
}

/** x to the power of 8, 16, 32, … bits. */
const powers: readonly number[] = Array.from({ length: 47 }).reduce<number[]>(
  (known) => [...known, times(known.at(-1) ?? 0, known.at(-1) ?? 0)],
  [0x0080_0000],
);

/** The checksum after that many zero bytes. */
export function behindZeros(crc: number, bytes: number): number {
  let result = crc;
  let left = bytes;
  for (let index = 0; left > 0; index += 1) {
    if (left % 2 === 1) result = times(powers[index] ?? 0, result);
    left = Math.floor(left / 2);
  }
  return result;
}

const stride = 1024;

/**
 * Computes checksums of any stretch of a buffer in almost constant time. A long record may contain a million apparent
 * line starts, and each needs one.
 */
export class Checksums {
  readonly #bytes: Buffer;
  readonly #start: number;
  /** Checksums from the start, one per stride. */
  readonly #marks: number[] = [0];

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
  }

  of(from: number, end: number, link: number): number {
    if (end - from <= stride) return crc32(this.#bytes.subarray(from, end), link);
    return (this.#upTo(end) ^ behindZeros((this.#upTo(from) ^ link) >>> 0, end - from)) >>> 0;
  }

  #upTo(end: number): number {
    const index = Math.floor((end - this.#start) / stride);
    while (this.#marks.length <= index) {
      const at = this.#start + (this.#marks.length - 1) * stride;
      this.#marks.push(crc32(this.#bytes.subarray(at, at + stride), this.#marks.at(-1) ?? 0));
    }
    return crc32(this.#bytes.subarray(this.#start + index * stride, end), this.#marks[index] ?? 0);
  }
}
