/** Who speaks. `tool` is a message that only carries results; `unreadable` is a message no codec can read yet. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'unreadable';

export type PartKind = Part['kind'];

/** What is known about how a call ended. */
export type Outcome = 'ok' | 'error' | 'denied' | 'interrupted' | 'unknown';

/** A place in a list of messages; no part means the message as a whole. */
export type Place = { readonly message: number; readonly part?: number | undefined };

type Common = {
  /** The piece of wire JSON this part was read from; written back untouched unless the part was edited. */
  readonly wire?: unknown;
  /** Where the part stood in the input; absent for parts we invented. */
  readonly at?: Place;
  /** Characters of the input's content this part carries; 0 for text we invented. */
  readonly characters: number;
  /** True when the codec must write the fields of this part over its wire. */
  readonly edited?: boolean;
};

export type TextPart = Common & { readonly kind: 'text'; readonly text: string };

export type ReasoningPart = Common & { readonly kind: 'reasoning'; readonly text: string; readonly sealed: boolean };

export type CallPart = Common & {
  readonly kind: 'call';
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** Run by the provider itself: its result stands in the same message. */
  readonly server: boolean;
  /** Tools whose ids are their own; absent where all tools share theirs. */
  readonly family?: string;
};

export type ResultPart = Common & {
  readonly kind: 'result';
  readonly callId: string;
  readonly tool?: string;
  readonly outcome: Outcome;
  /** The readable content; the full content stays in `wire`. */
  readonly text: string;
  readonly server: boolean;
  readonly family?: string;
};

export type MediaPart = Common & { readonly kind: 'media' };

export type OpaquePart = Common & { readonly kind: 'opaque' };

/** One typed piece of a message. */
export type Part = TextPart | ReasoningPart | CallPart | ResultPart | MediaPart | OpaquePart;

/** One author's contribution. */
export type Message = {
  readonly role: Role;
  readonly parts: readonly Part[];
  /** The message as it came; keys outside the parts are carried from it. */
  readonly wire?: unknown;
  /** Index in the input; -1 for a message we invented. */
  readonly at: number;
  /** Keys of a message that was read again which nothing was made of. */
  readonly unread?: readonly string[];
  /** A message that was read again held reasoning under a seal of another provider, and nothing that can be read. */
  readonly sealedOff?: true;
  /** Calls beside the parts that whoever stored the message could not make sense of; they are not sent. */
  readonly failed?: readonly CallPart[];
  /** What was recorded about where the message came from. */
  readonly origin?: Origin;
};

export type Origin = {
  /** The digest of the messages that the provider had been sent when it gave this one. */
  readonly prefixDigest?: string;
};

/** Makes a text part whose first `characters` count as content of the input. */
export function textPart(text: string, characters: number, at?: Place): TextPart {
  return at === undefined ? { kind: 'text', text, characters } : { kind: 'text', text, characters, at };
}

/** What a call and its results have in common: the id, among tools of one family. */
export function pairKey({ callId, family }: CallPart | ResultPart): string {
  return family === undefined ? callId : `${family}\n${callId}`;
}
