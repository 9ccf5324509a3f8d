import type { Profile } from '../../model/profile.ts';

/** What to do about a refusal beyond what the profile of the model asks for anyway. */
export type Remedy =
  /** Read the contract more strictly in one point. */
  | { readonly kind: 'flags'; readonly flags: Partial<Profile> }
  /** Take a key away that is not known there: from messages, from parts of a type, or from the request itself. */
  | { readonly kind: 'key'; readonly key: string; readonly role?: string; readonly types?: readonly string[] }
  | { readonly kind: 'field'; readonly key: string }
  /** Write what lies around the list so that it can be sent. */
  | { readonly kind: 'fields' }
  /** Tell pieces of content as text: those of a type, or those of one message that are of no known type. */
  | { readonly kind: 'pieces'; readonly type: string }
  | { readonly kind: 'pieces'; readonly message: number; readonly keep: readonly string[] }
  /** Reasoning that the provider no longer takes: of a turn, or from a message on, with the ids of what came of it. */
  | { readonly kind: 'reasoning'; readonly from: number; readonly turn?: boolean; readonly ids?: boolean }
  /** Put the stand-in in the place of every signature. */
  | { readonly kind: 'signatures' }
  /** Send something by its content and not under the id by which the provider does not find it, or all of its step. */
  | { readonly kind: 'item'; readonly id: string; readonly step?: boolean }
  /** Put calls that stand side by side with results before all of these. */
  | { readonly kind: 'group' };

/** What changes messages one by one. */
export type MessageRemedy = Exclude<Remedy, { kind: 'flags' | 'field' | 'fields' | 'group' }>;

/** One text by which a provider refuses, and what it means. */
export type RefusalText = {
  readonly text: RegExp;
  /** The row of the contract page it comes from. */
  readonly row: string;
  /** The rules that answer it, the likeliest first; none where no change of a history does. */
  readonly rules: readonly string[];
  readonly remedy?: Remedy | ((found: RegExpExecArray) => Remedy);
  /** What to do instead, where the history is not to blame. */
  readonly instead?: string;
};

/** A text that reads a point of the contract more strictly. */
export function stricter(
  row: string,
  rules: string | readonly string[],
  { text, flags }: { readonly text: RegExp; readonly flags: Partial<Profile> },
): RefusalText {
  return { text, row, rules: [rules].flat(), remedy: { kind: 'flags', flags } };
}

/** The number of a message in the words of any provider. */
const PLACE = /(?:messages?|input|contents)(?:\.|\[|\.\[)(\d+)/;

/** The message that a text names; undefined where it names none. */
export function placeNamed(text: string): number | undefined {
  const found = PLACE.exec(text);
  return found === null ? undefined : Number(found[1]);
}

/** Reasoning from the message that a text names on, or from the first. */
export function reasoningFrom({ 0: text }: RegExpExecArray): Remedy {
  return { kind: 'reasoning', from: placeNamed(text) ?? 0 };
}

/** All reasoning of the turn that a text names, or of every turn. */
export function reasoningOfTurn(found: RegExpExecArray): Remedy {
  const from = placeNamed(found[0]);
  return from === undefined ? reasoningFrom(found) : { kind: 'reasoning', from, turn: true };
}

/** A key that a path of dots ends in, with the types of the parts that it leads through. */
export function keyAt(path: string): Remedy {
  const steps = path.split('.');
  const key = path.slice(path.lastIndexOf('.') + 1);
  if (steps.length === 1) return { kind: 'field', key };
  // A path names the type of each part behind its number: messages.2.content.0.tool_result.content.0.text.note
  const types = steps.filter((_, i) => steps[i - 2] === 'content' && i < steps.length - 1);
  return types.length === 0 ? { kind: 'key', key } : { kind: 'key', key, types };
}
