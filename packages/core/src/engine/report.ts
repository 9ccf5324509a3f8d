import type { CodecMemory } from '../model/codec-memory.ts';
import type { At, Finding, Preserved, Repair, Report, Verdict } from '../model/finding.ts';
import type { Place } from '../model/part.ts';
import type { Draft } from './draft.ts';
import type { Envelope, Target } from './target.ts';

const NEXT: Readonly<Record<Exclude<Verdict, 'clean'>, string>> = {
  broken: 'Repair the history before it is sent; a provider would refuse or misread it as it is.',
  waiting: 'Calls are still open: answer them, or repair again with open: "close", before anything is sent.',
  repaired: 'Send the output in place of the input; every change is listed in the repairs.',
  salvaged: 'Send the output and repeat the last instruction: turns at the end had to be left out.',
  emptied: 'Start again from the quoted text: the history could not be sent in any other form.',
};

/** True when a provider takes the history as it is. */
export function isHealthy(findings: readonly Finding[]): boolean {
  return findings.every((finding) => finding.severity === 'wasteful');
}

export type ReportParts = {
  readonly verdict: Verdict;
  readonly dialect?: string | undefined;
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
  readonly passes: number;
  readonly characters: number;
  readonly lost: number;
};

/** Puts a report together, with one sentence on how to go on. */
export function makeReport(parts: ReportParts): Report {
  const { verdict, dialect, findings, repairs, passes } = parts;
  const kept = preserved(parts.characters, parts.lost);
  if (dialect === undefined) return { verdict, findings, repairs, passes, preserved: kept, ...nextStep(verdict) };
  if (verdict === 'clean') return { verdict, dialect, findings, repairs, passes, preserved: kept };
  return { verdict, dialect, findings, repairs, passes, preserved: kept, next: NEXT[verdict] };
}

function nextStep(verdict: Verdict): { next?: string } {
  return verdict === 'clean' ? {} : { next: NEXT[verdict] };
}

function preserved(charactersIn: number, lost: number): Preserved {
  const charactersOut = Math.min(charactersIn, Math.max(0, charactersIn - lost));
  return { charactersIn, charactersOut, ratio: charactersIn === 0 ? 1 : charactersOut / charactersIn };
}

/** A place in a draft as one in the input as it was given. */
export function locate(place: Place, draft: Draft, { target, input }: { target: Target; input: Envelope }): At {
  if (place.message < 0) return { message: -1, pointer: '' };
  const source = draft.source(place.message);
  const message = source >= 0 ? source : Math.max(0, draft.sourceBefore(place.message));
  const part = partOf(place, draft, message);
  const { listKey } = target.codec;
  const field = input.body === undefined ? input.list : input.body[listKey];
  // What stands for a list of one has no index, and a text in its place nothing to point into.
  const own = Array.isArray(field) ? `/${String(message)}` : '';
  const pointer = input.body === undefined ? own : `/${listKey}${own}`;
  if (part === undefined) return { message, pointer };
  if (typeof field === 'string') return { message, part, pointer };
  return {
    message,
    part,
    pointer: `${pointer}${pointInto(target, { wire: input.list[message], part, memory: draft.memory })}`,
  };
}

/** A message that throws when it is read, or is in the form of another dialect, is pointed at as a whole. */
type Inside = { readonly wire: unknown; readonly part: number; readonly memory: CodecMemory };

function pointInto(target: Target, { wire, part, memory }: Inside): string {
  try {
    const into = target.codec.pointer(wire, part, memory);
    return isThere(wire, into) ? into : '';
  } catch {
    return '';
  }
}

function isThere(wire: unknown, pointer: string): boolean {
  let inside = wire;
  for (let start = 1; start < pointer.length;) {
    const slash = pointer.indexOf('/', start);
    const end = slash === -1 ? pointer.length : slash;
    const key = pointer.slice(start, end);
    if (typeof inside !== 'object' || inside === null || !(key in inside)) return false;
    inside = (inside as Record<string, unknown>)[key];
    start = end + 1;
  }
  return true;
}

/** The index the part had in the input; a part that came from elsewhere is reported at its message. */
function partOf(place: Place, draft: Draft, message: number): number | undefined {
  if (place.part === undefined) return undefined;
  const edited = draft.edited(place.message);
  if (edited === undefined) return place.part;
  const at = edited.parts[place.part]?.at;
  return at?.message === message ? at.part : undefined;
}
