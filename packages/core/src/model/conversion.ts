import type { Lose } from './loss.ts';
import type { Message, Part } from './part.ts';
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
  /** Reads what the codec has read. */
  unpack(message: Message, path: string, lose: Lose): readonly Message[];
  pack(messages: readonly Message[], how: Packing): readonly Packed[];
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
