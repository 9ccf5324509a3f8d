import type { Sink } from '../model/codec.ts';
import { inspect, isRecord, newTally } from '../model/value.ts';

type Wire = Record<string, unknown>;

/** Keys a provider knows on an object: those looked at one by one, and those that only have to be sound values. */
export type Keys = { readonly read: ReadonlySet<string>; readonly other: ReadonlySet<string> };

const keys = (read: string, other: string): Keys => ({
  read: new Set(read.split(' ')),
  other: new Set(other.split(' ')),
});

export const MESSAGE_KEYS: Keys = keys('role content', 'output_config clear_at');
export const PART_KEYS: ReadonlyMap<string, Keys> = new Map([
  ['text', keys('type text', 'cache_control citations')],
  ['tool_use', keys('type id name input', 'cache_control caller toolset_name')],
  ['tool_result', keys('type tool_use_id content', 'is_error cache_control toolset_name')],
  ['thinking', keys('type thinking signature', '')],
  ['redacted_thinking', keys('type data', '')],
  ['image', keys('type source', 'cache_control')],
  ['document', keys('type source', 'title context citations cache_control')],
  ['server_tool_use', keys('type id name input', 'cache_control caller')],
]);
const tally = newTally();

/** Checks a value and counts its characters as content. */
export function scanValue(value: unknown, sink: Sink): void {
  checkValue(value, sink);
  sink.characters(tally.characters);
}

/** Notes what a value holds that cannot be sent, and leaves its size in the tally. */
export function checkValue(value: unknown, sink: Sink): void {
  tally.characters = 0;
  tally.lone = false;
  tally.broken = false;
  tally.nodes = 0;
  inspect(value, tally);
  if (tally.broken) sink.fact('value-unserialisable');
  else if (tally.lone) sink.fact('lone-surrogate');
}

/** Checks the keys of an object that the provider knows. */
export function scanKeys(wire: Wire, known: Keys, sink: Sink): void {
  for (const key in wire) {
    if (known.read.has(key)) continue;
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
  const extra = Object.keys(wire).filter((key) => !known.read.has(key) && !known.other.has(key));
  for (const key of known.other) checkValue(wire[key], sink);
  scanMarker(wire, sink);
  if (sink.profile.unknownKeys === 'carry') for (const key of extra) checkValue(wire[key], sink);
  else sink.fact('extra-key', extra);
}

/** Extra keys of the pieces inside a result, named by their path. */
export function pieceKeys(content: readonly unknown[]): string[] {
  return content.flatMap((piece, i) => {
    const known = isRecord(piece) ? PART_KEYS.get(String(piece['type'])) : undefined;
    if (known === undefined) return [];
    const extra = Object.keys(piece as Wire).filter((key) => !known.read.has(key) && !known.other.has(key));
    return extra.map((key) => `content.${String(i)}.${key}`);
  });
}
