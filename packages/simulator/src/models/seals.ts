import { createHash, createHmac } from 'node:crypto';

import { isObject, type JsonObject } from '../judges/docket.ts';
import type { SealCheck, Sealed, SealVerdict } from '../judges/seal-check.ts';
import { canonical } from './canonical.ts';
import { PrefixDigest } from './prefix-digest.ts';

/** What a seal is made for. */
export interface ToSeal {
  readonly model: string;
  /** What the reasoning says; reasoning that nobody can read is sealed without it. */
  readonly content: unknown;
  /** The seal of the reasoning before this one. */
  readonly previous?: string | undefined;
  /** Whether that reasoning belongs to the same reply, and whether it stands right before this one. */
  readonly place?: 'first' | 'after-reasoning' | 'later';
  /** The request that was answered and the number of its messages, where the model binds what stands before. */
  readonly around?: { readonly body: JsonObject; readonly length: number } | undefined;
}

// The first bytes make every seal begin with the `gAAAA` that clients know from encrypted reasoning.
const MAGIC = Buffer.from([0x80, 0, 0, 0, 0]);
const PLACE = 5;
const MODEL = { at: 6, length: 9 };
const CONTENT = { at: 15, length: 12 };
const PREFIX = { at: 27, length: 12 };
const PREVIOUS = { at: 39, length: 8 };
const MAC = { at: 47, length: 16 };
const LENGTH = 63;
const BLANK = Buffer.alloc(LENGTH);

type Field = { readonly at: number; readonly length: number };

const PLACES = { first: 0, 'after-reasoning': 1, later: 2 } as const;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Signs reasoning so that it is known again, and tells what was done to it meanwhile. */
export class Seals {
  readonly #secret: string;
  readonly #digest = new PrefixDigest();
  readonly #binds: (model: string) => boolean;
  /** Given to the judge with every request. */
  readonly check: SealCheck = (sealed) => this.#check(sealed);

  constructor(secret: string, binds: (model: string) => boolean = bindsPrefix) {
    this.#secret = secret;
    this.#binds = binds;
  }

  binds(model: string): boolean {
    return this.#binds(model);
  }

  seal({ model, content, previous, place = 'first', around }: ToSeal): string {
    const bytes = Buffer.alloc(LENGTH);
    MAGIC.copy(bytes);
    bytes[PLACE] = PLACES[place];
    write(bytes, MODEL, digest(model));
    if (content !== undefined) write(bytes, CONTENT, covered(content));
    if (around !== undefined) write(bytes, PREFIX, this.#digest.of(around.body, around.length));
    if (previous !== undefined) write(bytes, PREVIOUS, digest(previous));
    write(bytes, MAC, this.#mac(bytes));
    return bytes.toString('base64');
  }

  #mac(bytes: Buffer): Buffer {
    return createHmac('sha256', this.#secret).update(bytes.subarray(0, MAC.at)).digest();
  }

  #check(sealed: Sealed): SealVerdict {
    const { seal, model = '', content } = sealed;
    const bytes = BASE64.test(seal) ? Buffer.from(seal, 'base64') : BLANK;
    if (bytes.length !== LENGTH || !holds(bytes, MAC, this.#mac(bytes))) return 'foreign';
    // Gemini reads no signature of another of its models; Claude ignores what it cannot read.
    if (model.includes('gemini') && !holds(bytes, MODEL, digest(model))) return 'foreign';
    if (!isBlank(bytes, CONTENT) && !holds(bytes, CONTENT, covered(content))) return 'changed';
    if (sealed.latest === true && !isInPlace(sealed, bytes)) return 'changed';
    return this.#binds(model) && !isBlank(bytes, PREFIX) ? this.#checkPrefix(sealed, bytes) : 'genuine';
  }

  #checkPrefix({ body, message, previous }: Sealed, bytes: Buffer): SealVerdict {
    if (!holds(bytes, PREFIX, this.#digest.of(body ?? {}, message))) return 'prefix-changed';
    // A leading run of reasoning may be dropped, so a seal without any before it has an unbroken chain.
    return previous === undefined || holds(bytes, PREVIOUS, digest(previous)) ? 'genuine' : 'chain-broken';
  }
}

/**
 * Claude models that accept their reasoning only behind the very conversation it was given in: Fable and Mythos from
 * 5.1 on, the others from 5.5 on.
 */
function bindsPrefix(model: string): boolean {
  const found = /claude-(fable|mythos|opus|sonnet|haiku)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (found === null) return false;
  const version = Number(found[2]) * 100 + Number(found[3] ?? 0);
  return version >= (found[1] === 'fable' || found[1] === 'mythos' ? 501 : 505);
}

/** In the latest reply no reasoning may be gone, nor what stood between one and the next. */
function isInPlace({ before = [], previous }: Sealed, bytes: Buffer): boolean {
  const place = bytes[PLACE];
  const neighbour = before.at(-1);
  const adjacent = isObject(neighbour) && (neighbour.type === 'thinking' || neighbour.type === 'redacted_thinking');
  if (adjacent !== (place === PLACES['after-reasoning'])) return false;
  return place === PLACES.first || (previous !== undefined && holds(bytes, PREVIOUS, digest(previous)));
}

const digest = (words: string): Buffer => createHash('sha256').update(words).digest();

const write = (bytes: Buffer, { at, length }: Field, value: Buffer): void => void value.copy(bytes, at, 0, length);

const holds = (bytes: Buffer, { at, length }: Field, value: Buffer): boolean =>
  bytes.compare(value, 0, length, at, at + length) === 0;

const isBlank = (bytes: Buffer, { at, length }: Field): boolean =>
  bytes.compare(BLANK, at, at + length, at, at + length) === 0;

/** A call is known again by its tool and its arguments, whatever a client does to the fields beside them. */
function covered(content: unknown): Buffer {
  const called = isObject(content) && isObject(content.functionCall) ? content.functionCall : undefined;
  return digest(canonical(called === undefined ? content : [called.name, called.args ?? {}]));
}
