import type { Sink } from '../../model/codec.ts';
import { isRecord } from '../../model/value.ts';
import { checkValue } from '../scan-value.ts';

type Wire = Record<string, unknown>;

/** Keys a provider knows on an object: those looked at one by one, and those that only have to be sound values. */
export type Keys = { readonly read: ReadonlySet<string>; readonly other: ReadonlySet<string> };

const keys = (read: string, other: string): Keys => ({
  read: new Set(read.split(' ')),
  other: new Set(other.split(' ')),
});

export const MESSAGE_KEYS: Keys = keys('role content', 'output_config clear_at');
export const TEXT_KEYS: Keys = keys('type text', 'cache_control citations');
export const CALL_KEYS: Keys = keys('type id name input', 'cache_control caller toolset_name');
export const RESULT_KEYS: Keys = keys('type tool_use_id content', 'is_error cache_control toolset_name');
/** Those of a result that spells the id of its call in another way, which is written anew. */
export const CAMEL_RESULT_KEYS: Keys = keys('type toolUseId content', 'is_error cache_control toolset_name');
export const REASONING_KEYS: Keys = keys('type thinking signature', '');
export const REDACTED_KEYS: Keys = keys('type data', '');
export const IMAGE_KEYS: Keys = keys('type source', 'cache_control');
export const DOCUMENT_KEYS: Keys = keys('type source', 'title context citations cache_control');
export const SERVER_CALL_KEYS: Keys = keys('type id name input', 'cache_control caller');

const PIECE_KEYS: ReadonlyMap<string, Keys> = new Map([
  ['text', TEXT_KEYS],
  ['image', IMAGE_KEYS],
  ['document', DOCUMENT_KEYS],
]);

/** Checks the keys of an object that the provider knows. */
export function scanKeys(wire: Wire, known: Keys, sink: Sink): void {
  for (const key in wire) {
    if (known.read.has(key) || !Object.hasOwn(wire, key)) continue;
    // JSON has no word for a key without a value, so that nobody is sent it.
    if (wire[key] === undefined) continue;
    if (!known.other.has(key)) return reportKeys(wire, known, sink);
    if (key === 'cache_control') scanMarker(wire, sink);
    checkValue(wire[key], sink);
  }
}

/** Reports a cache marker. */
export function scanMarker(wire: Wire, sink: Sink): void {
  if (wire['cache_control'] !== undefined && wire['cache_control'] !== null) sink.fact('cache-marker');
}

function reportKeys(wire: Wire, known: Keys, sink: Sink): void {
  const extra = extraKeys(wire, known);
  for (const key of known.other) checkValue(wire[key], sink);
  scanMarker(wire, sink);
  if (sink.profile.unknownKeys === 'carry') for (const key of extra) checkValue(wire[key], sink);
  else sink.fact('extra-key', extra);
}

function extraKeys(wire: Wire, { read, other }: Keys): string[] {
  return Object.keys(wire).filter((key) => !read.has(key) && !other.has(key) && wire[key] !== undefined);
}

/** Extra keys of the pieces inside a result, named by their path. */
export function pieceKeys(content: readonly unknown[]): string[] {
  return content.flatMap((piece, i) => {
    const known = isRecord(piece) ? PIECE_KEYS.get(String(piece['type'])) : undefined;
    if (known === undefined) return [];
    return extraKeys(piece as Wire, known).map((key) => `content.${String(i)}.${key}`);
  });
}
