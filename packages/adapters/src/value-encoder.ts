import type { SerializerProtocol } from '@langchain/langgraph-checkpoint';

import type { EncodedList, EncodedValue } from './checkpoint-log.ts';
import { grow, jsonOf, shrink } from './json-deltas.ts';

const decoder = new TextDecoder();

/** The text of an element, and the values it had: a message that was changed in place is encoded again. */
type Known = { readonly values: readonly unknown[]; readonly text: string };

/** Encodes channel values with a serializer. The elements of a list are encoded once, however long the list grows. */
export class ValueEncoder {
  readonly #serde: SerializerProtocol;
  readonly #lists: 'as-lists' | 'whole';
  readonly #known = new WeakMap<object, Known>();

  constructor(serde: SerializerProtocol, lists: 'as-lists' | 'whole') {
    this.#serde = serde;
    this.#lists = lists;
  }

  async encode(value: unknown): Promise<EncodedList> {
    if (!Array.isArray(value) || this.#lists === 'whole') return this.#whole(value);
    const texts: string[] = [];
    for (const each of value as unknown[]) {
      const text = this.#knownText(each) ?? (await this.#newText(each));
      // The element is no JSON, so neither is the list.
      if (text === undefined) return this.#whole(value);
      texts.push(text);
    }
    return { kind: 'texts', texts };
  }

  /** Encodes metadata. */
  async encodePlain(value: unknown): Promise<unknown> {
    const encoded = await this.#whole(value);
    return encoded.kind === 'whole' ? { v: shrink(JSON.parse(encoded.json)) } : encoded;
  }

  async decodePlain(stored: unknown): Promise<unknown> {
    const value = stored as EncodedValue | { readonly v: unknown };
    if ('v' in value) return this.#serde.loadsTyped('json', JSON.stringify(grow(value.v)));
    return decodeValue(this.#serde, value);
  }

  async #whole(value: unknown): Promise<EncodedValue> {
    const [type, bytes] = await this.#serde.dumpsTyped(value);
    if (type === 'json' && this.#lists === 'as-lists') return { kind: 'whole', json: decoder.decode(bytes) };
    return { kind: 'bytes', type, base64: Buffer.from(bytes).toString('base64') };
  }

  #knownText(value: unknown): string | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    const known = this.#known.get(value);
    const values = known === undefined ? [] : Object.values(value);
    const isSame = known?.values.length === values.length && values.every((each, at) => each === known?.values[at]);
    return isSame ? known?.text : undefined;
  }

  async #newText(value: unknown): Promise<string | undefined> {
    const encoded = await this.#whole(value);
    if (encoded.kind !== 'whole') return undefined;
    // The text as it will be read back from the log.
    const text = JSON.stringify(grow(shrink(JSON.parse(encoded.json))));
    if (typeof value === 'object' && value !== null) this.#known.set(value, { values: Object.values(value), text });
    return text;
  }
}

export async function decodeValue(serde: SerializerProtocol, value: EncodedValue): Promise<unknown> {
  if (value.kind === 'bytes') return serde.loadsTyped(value.type, Buffer.from(value.base64, 'base64'));
  return serde.loadsTyped('json', jsonOf(value));
}
