/** Who speaks. `tool` is a message that only carries results; `unreadable` is a message no codec can read yet. */
export type Role = 'system' | 'user' | 'assistant' | 'tool' | 'unreadable';

export type PartKind = Part['kind'];

/** What is known about how a call ended. */
export type Outcome = 'ok' | 'error' | 'denied' | 'interrupted' | 'unknown';

/** A place in a list of messages; no part means the message as a whole. */
export type Place = { readonly message: number; readonly part?: number | undefined };

/** What makes reasoning valid, and for whom: nobody but its maker can read it or check it. */
export type Seal = {
  readonly maker: string;
  readonly form: 'signature' | 'redacted' | 'encrypted' | 'reference';
  readonly value: string;
  /** The id under which the maker keeps the reasoning. */
  readonly id?: string;
  /** Where it stands, where that is not the whole part. */
  readonly path?: string;
};

/** A place up to which the provider may cache, for how long, and where that is said. */
export type Mark = { readonly ttl?: string; readonly path: string };

/** Media in no dialect's form. Exactly one of data, text, url and file says where its content is. */
export type Media = {
  readonly type: 'image' | 'audio' | 'video' | 'document';
  readonly mime?: string;
  /** Bytes in base64. */
  readonly data?: string;
  /** The content of a document that is nothing but text. */
  readonly text?: string;
  readonly url?: string;
  /** The id under which a provider keeps it, and whose that is. */
  readonly file?: { readonly maker: string; readonly id: string };
  readonly name?: string;
  /** How closely a model is to look at an image, and where that is said. */
  readonly detail?: { readonly value: string; readonly path: string };
  /** Where it stands, where that is not the whole part. */
  readonly path?: string;
};

/** A piece of what a tool returned. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown }
  /** With the form it has in the target, once that is known. */
  | { readonly kind: 'media'; readonly media: Media; readonly wire?: unknown };

type Common = {
  /** The piece of wire JSON this part was read from; written back untouched unless the part was edited. */
  readonly wire?: unknown;
  /** Where the part stood in the input; absent for parts we invented. */
  readonly at?: Place;
  /** Characters of the input's content this part carries; 0 for text we invented. */
  readonly characters: number;
  /** True when the codec must write the fields of this part over its wire. */
  readonly edited?: boolean;
  /** JSON pointer in the input; given, as every field below that no repair needs, only where a conversion reads. */
  readonly path?: string;
};

export type TextPart = Common & {
  readonly kind: 'text';
  readonly text: string;
  readonly refusal?: boolean;
  readonly seal?: Seal;
  /** The id under which the provider keeps the message that begins with it. */
  readonly item?: string;
  /** Where that id stands. */
  readonly itemPath?: string;
  readonly cache?: Mark;
  /** Sent again with every request; only the last one counts, and for all of it. */
  readonly standing?: boolean;
};

export type ReasoningPart = Common & {
  readonly kind: 'reasoning';
  readonly text: string;
  readonly sealed: boolean;
  readonly seal?: Seal;
};

export type CallPart = Common & {
  readonly kind: 'call';
  /** Empty where there is none. */
  readonly callId: string;
  readonly tool: string;
  /** An object, or the text it was sent as. */
  readonly input: unknown;
  /** Run by the provider itself: its result stands in the same message. */
  readonly server: boolean;
  /** Tools whose ids are their own; absent where all tools share theirs. */
  readonly family?: string;
  /** The provider that runs it, where it is run by one. */
  readonly runner?: string;
  /** The input is a text of its own and not JSON. */
  readonly free?: boolean;
  readonly seal?: Seal;
  /** The id under which the provider keeps the call itself. */
  readonly item?: string;
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
  /** The full content. */
  readonly pieces?: readonly Piece[];
  readonly runner?: string;
  /** The call that it answers took free text. */
  readonly free?: boolean;
};

export type MediaPart = Common & { readonly kind: 'media'; readonly media?: Media };

export type OpaquePart = Common & {
  readonly kind: 'opaque';
  /** What it is, in a few words. */
  readonly what?: string;
  /** What can be read of it. */
  readonly text?: string;
  /** It only marks the part before it as a place to cache. */
  readonly mark?: Mark;
};

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
  /** The speaker's own name. */
  readonly name?: string;
  /** Instructions of the developer, where the dialect tells them from those of the system. */
  readonly developer?: boolean;
  /** It is an answer of its own, so that calls before it which nothing answers were over when it began. */
  readonly opens?: boolean;
  /** JSON pointer in the input. */
  readonly path?: string;
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
