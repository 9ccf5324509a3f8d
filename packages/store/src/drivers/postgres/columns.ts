import { Buffer } from 'node:buffer';

/** Column types, with the server's type number and the width of a value. */
const types = {
  uuid: { oid: 2950, width: 16 },
  bigint: { oid: 20, width: 8 },
  integer: { oid: 23, width: 4 },
  boolean: { oid: 16, width: 1 },
  text: { oid: 25, width: 32 },
} as const;

type Type = keyof typeof types;
type Oid = (typeof types)[Type]['oid'];

const headBytes = 20;

/** An array in the server's binary format. Encoding it as text would cost more than the rest of an append. */
export class Column {
  readonly #oid: Oid;
  #bytes: Buffer;
  #at = headBytes;
  #count = 0;
  #nulls = 0;

  /** `count` is the expected number of values; more may follow. */
  constructor(type: Type, count: number) {
    const { oid, width } = types[type];
    this.#oid = oid;
    this.#bytes = Buffer.allocUnsafe(headBytes + count * (4 + width));
  }

  uuid(key: Uint8Array): void {
    this.#begin(16);
    this.#bytes.set(key, this.#at);
    this.#at += 16;
  }

  integer(value: number): void {
    this.#begin(4);
    this.#at = this.#bytes.writeInt32BE(value, this.#at);
  }

  /** A safe integer from 0 up. */
  bigint(value: number): void {
    this.#begin(8);
    this.#at = this.#bytes.writeUInt32BE(Math.floor(value / 0x1_0000_0000), this.#at);
    this.#at = this.#bytes.writeUInt32BE(value % 0x1_0000_0000, this.#at);
  }

  boolean(value: boolean): void {
    this.#begin(1);
    this.#at = this.#bytes.writeUInt8(value ? 1 : 0, this.#at);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.#begin(length);
    this.#at += this.#bytes.write(value, this.#at);
  }

  null(): void {
    this.#nulls = 1;
    this.#begin(0);
    this.#bytes.writeInt32BE(-1, this.#at - 4);
  }

  /** A one-dimensional array that starts at 1; an empty one has no dimension. */
  get written(): Buffer {
    const bytes = this.#bytes;
    bytes.writeInt32BE(this.#count === 0 ? 0 : 1, 0);
    bytes.writeInt32BE(this.#nulls, 4);
    bytes.writeInt32BE(this.#oid, 8);
    if (this.#count === 0) return bytes.subarray(0, 12);
    bytes.writeInt32BE(this.#count, 12);
    bytes.writeInt32BE(1, 16);
    return bytes.subarray(0, this.#at);
  }

  /** Makes room for a value and writes its length. */
  #begin(length: number): void {
    const end = this.#at + 4 + length;
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], end * 2);
    this.#at = this.#bytes.writeInt32BE(length, this.#at);
    this.#count += 1;
  }
}
