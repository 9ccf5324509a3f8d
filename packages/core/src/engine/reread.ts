import type { Edit } from '../model/edit.ts';
import type { Message, Part, Place } from '../model/part.ts';
import { mend, withKeys } from '../model/value.ts';
import type { Draft } from './draft.ts';

/** An edit that puts a message into other bytes as a whole. */
export type Rewriting = Extract<Edit, { kind: 'mend' | 'drop-keys' }>;

/** A message of the draft after such an edit. */
export function rewriteMessage(draft: Draft, edit: Rewriting): Message {
  const place: Place = edit.kind === 'mend' ? edit.at : edit;
  const wire = draft.wire[place.message];
  if (edit.kind === 'mend') return reread(draft, place, mended(draft, wire));
  const gone = Object.fromEntries(edit.keys.map((key) => [key, undefined]));
  return reread(draft, place, withKeys(wire, gone));
}

/** The message in a form that can be sent: of its own class where its codec can keep that, and else an inert copy. */
function mended({ codec }: Draft, wire: unknown): unknown {
  try {
    return codec.mend?.(wire) ?? mend(wire);
  } catch {
    return mend(wire);
  }
}

/** A message of the draft in other bytes; its parts keep their places where these are known. */
function reread(draft: Draft, { message, part }: Place, wire: unknown): Message {
  const after = draft.codec.read(wire, draft.source(message));
  const known = draft.edited(message)?.parts ?? (part === undefined ? [] : draft.message(message).parts);
  return { ...after, parts: after.parts.map((each, i) => withPlace(each, known[i])) };
}

/** The same part with the place and the weight it had in the input. */
export function withPlace(part: Part, before: Part | undefined): Part {
  if (before === undefined) return part;
  const { at, characters } = before;
  if (at !== undefined) return { ...part, at, characters };
  const { at: _at, ...rest } = part;
  return { ...rest, characters };
}
