/** A value of a kind that the format leaves to programs. */
export type Extension = { readonly kind: number; readonly data: Uint8Array };

/** Deeper or longer values than these are hostile. */
const DEEPEST = 500;

/** Decodes one value of MessagePack; undefined when the bytes are none, or end too early. */
export function decodeMsgpack(bytes: Uint8Array, extend: (extension: Extension) => unknown): unknown {
  try {
    return new Reader(bytes, extend).value(0);
  } catch {
    return undefined;
  }
}

class Reader {
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #extend: (extension: Extension) => unknown;
  #at = 0;

  constructor(bytes: Uint8Array, extend: (extension: Extension) => unknown) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#extend = extend;
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw new RangeError('nested too deeply');
    const byte = this.#number(1);
    if (byte < 0x80) return byte;
    if (byte < 0x90) return this.#map(byte & 0x0f, depth);
    if (byte < 0xa0) return this.#list(byte & 0x0f, depth);
    if (byte < 0xc0) return this.#text(byte & 0x1f);
    if (byte >= 0xe0) return byte - 0x100;
    return this.#long(byte, depth);
  }

  #long(byte: number, depth: number): unknown {
    const constants: Readonly<Record<number, unknown>> = { 0xc0: null, 0xc2: false, 0xc3: true };
    if (Object.hasOwn(constants, byte)) return constants[byte];
    if (byte >= 0xc4 && byte <= 0xc6) return this.#take(this.#number(2 ** (byte - 0xc4)));
    if (byte >= 0xc7 && byte <= 0xc9) return this.#extension(this.#number(2 ** (byte - 0xc7)));
    if (byte === 0xca || byte === 0xcb) return this.#float(byte === 0xca ? 4 : 8);
    if (byte >= 0xcc && byte <= 0xcf) return this.#number(2 ** (byte - 0xcc));
    if (byte >= 0xd0 && byte <= 0xd3) return this.#signed(2 ** (byte - 0xd0));
    if (byte >= 0xd4 && byte <= 0xd8) return this.#extension(2 ** (byte - 0xd4));
    if (byte >= 0xd9 && byte <= 0xdb) return this.#text(this.#number(2 ** (byte - 0xd9)));
    if (byte === 0xdc || byte === 0xdd) return this.#list(this.#number(byte === 0xdc ? 2 : 4), depth);
    return this.#map(this.#number(byte === 0xde ? 2 : 4), depth);
  }

  #number(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (length === 1) return this.#view.getUint8(at);
    if (length === 2) return this.#view.getUint16(at);
    return length === 4 ? this.#view.getUint32(at) : Number(this.#view.getBigUint64(at));
  }

  #signed(length: number): number {
    const at = this.#at;
    this.#at += length;
    if (length === 1) return this.#view.getInt8(at);
    if (length === 2) return this.#view.getInt16(at);
    return length === 4 ? this.#view.getInt32(at) : Number(this.#view.getBigInt64(at));
  }

  #float(length: number): number {
    const at = this.#at;
    this.#at += length;
    return length === 4 ? this.#view.getFloat32(at) : this.#view.getFloat64(at);
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('the bytes end too early');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  #text(length: number): string {
    return Buffer.from(this.#take(length)).toString('utf8');
  }

  #list(length: number, depth: number): unknown[] {
    const list: unknown[] = [];
    for (let left = length; left > 0; left -= 1) list.push(this.value(depth + 1));
    return list;
  }

  #map(length: number, depth: number): object {
    const entries: [string, unknown][] = [];
    for (let left = length; left > 0; left -= 1) entries.push([String(this.value(depth + 1)), this.value(depth + 1)]);
    return Object.fromEntries(entries);
  }

  #extension(length: number): unknown {
    const kind = this.#signed(1);
    return this.#extend({ kind, data: this.#take(length) });
  }
}
