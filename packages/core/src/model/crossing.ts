import type { At } from './finding.ts';
import type { Message, Outcome, Place } from './part.ts';
import type { Profile } from './profile.ts';

/** What of a history cannot be said in another dialect. */
export type LossKind =
  | 'reasoning'
  | 'id'
  | 'name'
  | 'media'
  | 'system'
  | 'outcome'
  | 'call'
  | 'result'
  | 'part'
  | 'message'
  | 'tool'
  | 'key'
  | 'repair';

/** One thing that a conversion could not carry over as it was. */
export type ConversionLoss = {
  /** Where it stands in the input as it was given. */
  readonly at: At;
  readonly kind: LossKind;
  /** What it is, in a few words. */
  readonly what: string;
  /** What stands in its place: nothing, the same content as text, or the same content in another form or place. */
  readonly became: 'nothing' | 'text' | 'other';
  readonly why: string;
};

/** A loss as it is noticed, before it is known where the list stands in the input. */
export type Lost = Omit<ConversionLoss, 'at' | 'became'> & { readonly became?: ConversionLoss['became'] };

/** Where something stands: in which message and part, and under which JSON pointer of the input. */
export type Spot = { readonly at: Place; readonly path: string };

/** Takes note of a loss. */
export type Lose = (spot: Spot, loss: Lost) => void;

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

/** A piece of what a tool returned. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'media'; readonly media: Media };

export type CarriedText = Spot & {
  readonly kind: 'text';
  readonly text: string;
  readonly refusal?: boolean;
  readonly seal?: Seal;
  /** The id under which the provider keeps the message that begins with it. */
  readonly item?: string;
  /** Where that id stands. */
  readonly itemPath?: string;
  /** A place up to which the provider may cache, and for how long. */
  readonly cache?: Mark;
  /** Told anew with every request; only the last one counts, and for all of it. */
  readonly standing?: boolean;
};

export type CarriedReasoning = Spot & {
  readonly kind: 'reasoning';
  readonly text: string;
  readonly seal?: Seal;
};

export type CarriedCall = Spot & {
  readonly kind: 'call';
  /** Undefined where the dialect needs no ids and there is none. */
  readonly id: string | undefined;
  readonly tool: string;
  /** An object, or the text it was sent as. */
  readonly input: unknown;
  /** The input is a text of its own and not JSON. */
  readonly free?: boolean;
  /** Who runs it, where that is the provider. */
  readonly server?: string;
  readonly seal?: Seal;
  /** The id under which the provider keeps the call itself. */
  readonly item?: string;
};

export type CarriedResult = Spot & {
  readonly kind: 'result';
  readonly id: string | undefined;
  readonly tool: string | undefined;
  readonly outcome: Outcome;
  readonly pieces: readonly Piece[];
  readonly server?: string;
  /** The call that it answers took free text. */
  readonly free?: boolean;
};

export type CarriedMedia = Spot & { readonly kind: 'media'; readonly media: Media };

/** Something that only its own dialect has; with a text where there is something to read in it. */
export type CarriedAside = Spot & {
  readonly kind: 'aside';
  readonly what: string;
  readonly text?: string;
  /** It only marks what stands before it as a place to cache. */
  readonly mark?: Mark;
};

/** A part as any dialect might say it. */
export type Carried = CarriedText | CarriedReasoning | CarriedCall | CarriedResult | CarriedMedia | CarriedAside;

/** A message as any dialect might say it; results stand in messages of their own or among the user's parts. */
export type CarriedMessage = {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly parts: readonly Carried[];
  readonly at: number;
  readonly path: string;
  /** The speaker's own name. */
  readonly name?: string;
  /** Instructions of the developer, where the dialect tells them from those of the system. */
  readonly developer?: boolean;
  /** It is an answer of its own, so that calls before it which nothing answers were over when it began. */
  readonly opens?: boolean;
};

/** What a writer is told. */
export type Packing = {
  readonly profile: Profile;
  readonly model: string | undefined;
  /** A whole request is written, and not a bare list. */
  readonly request: boolean;
  readonly lose: Lose;
};

/** A message in its new form, with the parts that it was made of in the order in which they are read there. */
export type Packed = { readonly wire: unknown; readonly from: CarriedMessage; readonly parts: readonly Carried[] };

/** A declared tool. */
export type ToolSpec = {
  readonly name: string;
  readonly description?: string;
  readonly schema?: unknown;
  /** Where it is said that every input must fit the schema; absent where it need not. */
  readonly strictAt?: string;
  /** It takes free text and not JSON. */
  readonly free?: boolean;
  readonly path: string;
};

/** Which tools the model may or must call. */
export type Choice = { readonly mode: 'auto' | 'any' | 'none'; readonly names?: readonly string[] };

/** A number or a text of the request that several APIs have under names of their own. */
export type Setting = 'maxTokens' | 'temperature' | 'topP' | 'topK' | 'stop' | 'stream' | 'seed' | 'parallel';

/** Reads and writes what a conversion carries, for one dialect. Nothing here throws on a value that can be read. */
export type Crossing = {
  /** The key of a body that holds system text, where there is one. */
  readonly systemKey?: string;
  /** Where each setting stands in a body; the first of several is the one that is written. */
  readonly settings: Readonly<Partial<Record<Setting, readonly (readonly string[])[]>>>;
  /** Fields around the list that are read below, or that say nothing a history needs. */
  readonly fields: ReadonlySet<string>;
  /** Names of tools that are legal here. */
  readonly names: { readonly pattern: RegExp; readonly max: number };
  /** Reads what the codec has read. */
  unpack(message: Message, path: string, lose: Lose): readonly CarriedMessage[];
  pack(messages: readonly CarriedMessage[], how: Packing): readonly Packed[];
  /** System text that stands in a field of the body. */
  system?(body: Readonly<Record<string, unknown>>, lose: Lose): readonly Carried[];
  /** The field that holds system text. */
  withSystem?(parts: readonly Carried[], how: Packing): unknown;
  tools?(body: Readonly<Record<string, unknown>>, lose: Lose): readonly ToolSpec[];
  withTools?(tools: readonly ToolSpec[]): Readonly<Record<string, unknown>>;
  choice?(body: Readonly<Record<string, unknown>>): Choice | undefined;
  /** The fields that hold the choice; undefined where it cannot be said. */
  withChoice?(choice: Choice): Readonly<Record<string, unknown>> | undefined;
  /** Where the choice stands in a body. */
  readonly choicePath?: string;
  /** Tools may take free text. */
  readonly freeTools?: boolean;
  /** The field that names the model, where the model is not part of the address. */
  readonly modelKey?: string;
  /** Fields without which the API takes no request. */
  readonly needs?: Readonly<Record<string, unknown>>;
};
