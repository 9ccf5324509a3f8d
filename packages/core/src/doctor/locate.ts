import type { FactRecord } from '../model/fact.ts';
import type { At } from '../model/finding.ts';
import type { Draft } from './draft.ts';
import type { Envelope, Target } from './target.ts';

/** The place of a fact, found in a draft, in the input as it was given. */
export function locate(fact: FactRecord, draft: Draft, { target, input }: { target: Target; input: Envelope }): At {
  const root = input.body === undefined ? '' : `/${target.codec.listKey}`;
  if (fact.message < 0) return { message: -1, pointer: '' };
  const source = draft.source(fact.message);
  const message = source >= 0 ? source : Math.max(0, draft.sourceBefore(fact.message));
  const part = partOf(fact, draft, message);
  if (part === undefined) return { message, pointer: `${root}/${String(message)}` };
  return { message, part, pointer: `${root}/${String(message)}${pointInto(target, input.list[message], part)}` };
}

/** A message that throws when it is read is pointed at as a whole. */
function pointInto(target: Target, wire: unknown, part: number): string {
  try {
    return target.codec.pointer(wire, part);
  } catch {
    return '';
  }
}

/** The index the part had in the input; a part that came from elsewhere is reported at its message. */
function partOf(fact: FactRecord, draft: Draft, message: number): number | undefined {
  if (fact.part === undefined) return undefined;
  const edited = draft.edited(fact.message);
  if (edited === undefined) return fact.part;
  const at = edited.parts[fact.part]?.at;
  return at?.message === message ? at.part : undefined;
}
