/** What a seal stands on; one kind is never taken for another. */
export type SealKind = 'thinking' | 'redacted' | 'item' | 'call' | 'text' | 'other';

/**
 * What stands before reasoning in its reply: nothing, something else than reasoning, reasoning right before it, or
 * reasoning further up.
 */
export type SealPlace = 'first' | 'after-others' | 'after-reasoning' | 'later';

export type Field = { readonly at: number; readonly length: number };

export const KINDS: Readonly<Record<SealKind, number>> = {
  thinking: 1,
  redacted: 2,
  item: 3,
  call: 4,
  text: 5,
  other: 6,
};
export const PLACES: Readonly<Record<SealPlace, number>> = {
  first: 0,
  'after-reasoning': 1,
  later: 2,
  'after-others': 3,
};

// The first bytes make every seal begin with the `gAAAA` that clients know from encrypted reasoning.
const MAGIC = Buffer.from([0x80, 0, 0, 0, 0]);
export const KIND = 5;
export const PLACE = 6;
/** How many seals of the same reply come before, and how many there are; two bytes each. */
export const INDEX = 7;
export const TOTAL = 9;
export const REPLY: Field = { at: 11, length: 6 };
export const MODEL: Field = { at: 17, length: 9 };
export const CONTENT: Field = { at: 26, length: 12 };
export const PREFIX: Field = { at: 38, length: 12 };
export const PREVIOUS: Field = { at: 50, length: 7 };
export const MAC: Field = { at: 57, length: 15 };
const LENGTH = 72;

const EMPTY = Buffer.alloc(LENGTH);
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** A seal with nothing in it yet. */
export function blank(): Buffer {
  const bytes = Buffer.alloc(LENGTH);
  MAGIC.copy(bytes);
  return bytes;
}

/** The bytes of a seal, or nothing for what has not its form. */
export function read(seal: string): Buffer | undefined {
  if (seal.length > 2 * LENGTH || !BASE64.test(seal)) return undefined;
  const bytes = Buffer.from(seal, 'base64');
  return bytes.length === LENGTH ? bytes : undefined;
}

export const write = (bytes: Buffer, { at, length }: Field, value: Buffer): void =>
  void value.copy(bytes, at, 0, length);

export const holds = (bytes: Buffer, { at, length }: Field, value: Buffer): boolean =>
  bytes.compare(value, 0, length, at, at + length) === 0;

export const isBlank = (bytes: Buffer, { at, length }: Field): boolean =>
  bytes.compare(EMPTY, at, at + length, at, at + length) === 0;

/** The field as text, to look something up by. */
export const shown = (bytes: Buffer, { at, length }: Field): string => bytes.toString('hex', at, at + length);
