import type { CallPart, ResultPart } from './part.ts';
import type { Profile } from './profile.ts';

/** Letters, digits, underscore and hyphen. */
export const PLAIN_ID: RegExp = /^[a-zA-Z0-9_-]+$/;

/** Exactly nine letters and digits. */
export const NINE_ID: RegExp = /^[a-zA-Z0-9]{9}$/;

/** Anything but nothing. */
export const ANY_ID: RegExp = /[^]/;

/**
 * The text of an id: some stores keep ids that look like numbers as numbers, and often on one side of a pair only.
 * Undefined for what names nothing.
 */
export function idText(id: unknown): string | undefined {
  if (typeof id === 'string') return id;
  return typeof id === 'number' && Number.isFinite(id) ? String(id) : undefined;
}

/** True when a provider takes this id. */
export function isLegalId(id: string, { idPattern, idMax }: Profile): boolean {
  // A pattern of somebody else's may carry a place to go on from, which `search` does not mind.
  return id.length <= idMax && id.search(idPattern) !== -1;
}

/** True for the name of a tool as most providers take it: up to 64 letters, digits, underscores and hyphens. */
export function isPlainName(name: string): boolean {
  return name.length <= 64 && PLAIN_ID.test(name);
}

/** Begins every id that stands for a call without one, and no other. */
const MARK = '#';

/** Where ids are optional, results belong to the calls of the same name in their order: the name stands for the id. */
export function nameId(tool: string): string {
  return MARK + tool;
}

/** True for an id that only stands for a name and is never sent. */
export function isNameId(id: string): boolean {
  return id.startsWith(MARK);
}

/** A 64-bit fingerprint of a text as 14 characters that are legal in every provider's ids. */
export function fingerprint(text: string): string {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return (high >>> 0).toString(36).padStart(7, '0') + (low >>> 0).toString(36).padStart(7, '0');
}

/** A legal id made from any text alone, so that the same id is rewritten the same way everywhere. */
export function legalId(id: string, maximum: number): string {
  const mark = fingerprint(id);
  // Where ids are short there is room for the fingerprint alone.
  if (maximum <= mark.length) return mark.slice(-maximum);
  const kept = id.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, Math.max(0, Math.min(maximum, 64) - mark.length - 1));
  return kept === '' ? `call_${mark}` : `${kept}_${mark}`;
}

/** The id of a call that repeats an id inside one step, by which copy of it this is. */
export function repeatedId(
  { id, copy }: { id: string; copy: number },
  maximum: number,
  taken: ReadonlyMap<string, unknown>,
): string {
  let candidate = `${id}_${String(copy)}`;
  for (let n = 1; candidate.length > maximum || taken.has(candidate); n += 1) {
    candidate = legalId(`${id}_${String(copy)}#${String(n)}`, maximum);
  }
  return candidate;
}

/** The id a call, or a result of it, is sent with: its own where the provider takes it, else one made from it alone. */
export function sentId(part: CallPart | ResultPart, profile: Profile): string {
  const { callId, at, tool = 'lost' } = part;
  if (isLegalId(callId, profile)) return callId;
  // A call that lost its id is named by its place in the input, which stays the same; by its tool, where it had none.
  const place = at === undefined ? tool : `${String(at.message)}.${String(at.part)}`;
  return legalId(callId === '' ? `call ${place}` : callId, profile.idMax);
}

/** A name in letters, digits, underscores and hyphens, at most 64; one that had to be cut ends in a fingerprint. */
export function strictName(name: string): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_');
  if (plain.length <= 64) return plain;
  const mark = fingerprint(name);
  return `${plain.slice(0, 64 - mark.length - 1)}_${mark}`;
}
