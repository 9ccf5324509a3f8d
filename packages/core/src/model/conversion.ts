import type { Lose } from './loss.ts';
import type { Noting } from './noting.ts';
import type { Media, Message, Outcome, Part, PartKind, ResultPart, Role, Seal } from './part.ts';
import type { Profile } from './profile.ts';

/** What a writer is told. */
export type Packing = {
  readonly profile: Profile;
  readonly model: string | undefined;
  /** A whole request is written, and not a bare list. */
  readonly request: boolean;
  readonly lose: Lose;
};

/** A message in its new form, with the parts that it was made of in the order in which they are read there. */
export type Packed = { readonly wire: unknown; readonly from: Message; readonly parts: readonly Part[] };

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

/** What a dialect can say beyond texts, calls and results. */
export type Abilities = {
  /** Seals that are valid here, or carried for whoever made them. */
  readonly seals: (seal: Seal, on: 'text' | 'reasoning' | 'call') => boolean;
  /** Reasoning that nobody sealed. */
  readonly thoughts: boolean;
  /** Calls that a provider ran itself, by provider. */
  readonly server: (maker: string) => boolean;
  /** It is also said which provider that was. */
  readonly serverNames?: boolean;
  readonly outcomes: ReadonlySet<Outcome>;
  readonly refusals?: boolean;
  readonly caches?: boolean;
  readonly names?: boolean;
  readonly developers?: boolean;
  /** Ids under which a provider keeps calls. */
  readonly items?: boolean;
  /** Calls that take free text. */
  readonly free?: boolean;
  /** The form of the input of calls; free text stays what it is. */
  readonly input?: 'object' | 'text';
  /** Texts of nothing but white space are refused. */
  readonly blank?: 'refused';
};

/** Where media is to be shown: by whom, or in what result. */
export type Showing = { readonly role: Role; readonly result?: ResultPart };

/** What a conversion knows of one dialect beyond its messages. Nothing here throws on a value that can be read. */
export type Conversion = {
  /** The key of a body that holds system text, where there is one. */
  readonly systemKey?: string;
  /** Where each setting stands in a body; the first of several is the one that is written. */
  readonly settings: Readonly<Partial<Record<Setting, readonly (readonly string[])[]>>>;
  /** Fields around the list that are read below, or that say nothing a history needs. */
  readonly fields: ReadonlySet<string>;
  /** Names of tools that are legal here. */
  readonly names: { readonly pattern: RegExp; readonly max: number };
  /** What parts can say in the target, where messages of this role hold them. */
  can(how: Packing, role: Role): Abilities;
  /** Media in the form of the target, or why it has no place there. */
  media?(media: Media, showing: Showing, how: Packing): Readonly<Record<string, unknown>> | string;
  /** The entries that a message is written as, with their parts in the order in which they are read again. */
  arrange?(message: Message, how: Packing): readonly Message[];
  /** Parts of this kind stand in a field of their message, where they are not read as parts. */
  readonly beside?: PartKind;
  /** The messages that one entry stands for in other dialects; absent where it is always one. */
  unfold?(message: Message, noting: Noting): readonly Message[];
  /** Reads what the codec has read, where that has not yet noted all of it. */
  unpack?(message: Message, path: string, lose: Lose): readonly Message[];
  pack?(messages: readonly Message[], how: Packing): readonly Packed[];
  /** System text that stands in a field of the body. */
  system?(body: Readonly<Record<string, unknown>>, lose: Lose): readonly Part[];
  /** The field that holds system text. */
  withSystem?(parts: readonly Part[], how: Packing): unknown;
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
