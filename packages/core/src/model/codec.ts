import type { CodecMemory } from './codec-memory.ts';
import type { Detail, Fact } from './fact.ts';
import type { Noting } from './noting.ts';
import type { Message, PartKind, ResultPart, Role } from './part.ts';
import type { Profile } from './profile.ts';
import type { ScanMemory } from './scan-memory.ts';

/** Receives what a codec reads, as primitives, so that a clean history allocates nothing. */
export type Sink = {
  /** False when the message is known to be locally sound and only its structure is needed. */
  readonly deep: boolean;
  readonly profile: Profile;
  readonly memory: ScanMemory;
  /** What the request around the list declares; undefined when a bare history is judged. */
  readonly request: RequestFacts | undefined;
  message(role: Role): void;
  part(kind: PartKind, id: string | undefined, server: boolean): void;
  /** A fact about the part read last or, before any part, about the message. */
  fact(fact: Fact, detail?: Detail): void;
  /** Characters of content read so far; a codec adds to it. */
  total: number;
  /** The message as a thing that the provider may keep under an id of its own, with that of a program. */
  item?(id: string | undefined, kind: ItemKind, program?: string): void;
};

/**
 * What a kept thing is to the ones beside it: what a model thought, what it made of that, or something else. A thought
 * is whole where the provider keeps nothing and gave it out sealed.
 */
export type ItemKind =
  | 'thought'
  | 'whole-thought'
  | 'made'
  | 'program'
  | 'program-output'
  | 'reference'
  | 'trigger'
  | 'other';

/** What rules on the list need to know of the request around it. */
export type RequestFacts = {
  /** Names of all declared tools; undefined when none are declared. */
  readonly tools: ReadonlySet<string> | undefined;
  readonly toolCount: number;
  readonly serverTools: ReadonlySet<string>;
  /** Reasoning must open the step that is being continued. */
  readonly reasoningRequired: boolean;
  /** Reasoning is switched on in any form. */
  readonly reasoningOn: boolean;
  /** Cache markers outside the list. */
  readonly markers: number;
  /** What is wrong with the fields around the list, where the provider reads them with it. */
  readonly faults?: readonly Fault[];
  /** False when the provider keeps nothing of this request. */
  readonly stored?: boolean;
  /** The list goes on from one that the provider has kept, so calls may stand there. */
  readonly chained?: boolean;
};

/** A fact about a field of the request, which the detail names. */
export type Fault = { readonly fact: Fact; readonly detail: string };

/** Reads and writes one wire format. Every function is total over values that do not throw when read. */
export type Codec = {
  readonly dialect: string;
  /** The key of the message list inside a whole request body. */
  readonly listKey: string;
  /** The role of the messages that carry results. */
  readonly results: 'user' | 'tool';
  /** A call and its result are one part; absent where a result stands in a message of its own. */
  readonly wholePairs?: true;
  /** The list that something else in its place stands for; undefined for what stands for none. */
  listOf?(field: unknown): readonly unknown[] | undefined;
  scan(wire: unknown, sink: Sink): void;
  request(body: Readonly<Record<string, unknown>>): RequestFacts;
  /** The same parts in the same order as `scan` reports them; with all that a conversion needs where that is noted. */
  read(wire: unknown, index: number, noting?: Noting): Message;
  /** A message that is new to a list is written in the form of those that are in it, where there are several forms. */
  write(message: Message, list?: readonly unknown[], memory?: CodecMemory): unknown;
  /** The same result with another text in place of all it says, flags and ids kept; undefined where it takes none. */
  retell(part: ResultPart, text: string): ResultPart | undefined;
  /** Whatever can be read of a message that `scan` could not read; undefined if nothing. */
  salvage(wire: unknown, index: number): Message | undefined;
  /** The entries that a message is written as; absent where one entry holds all of it. */
  divide?(message: Message): readonly Message[];
  /** A copy of a message without anything that cannot be sent; absent where any inert copy will do. */
  mend?(wire: unknown): unknown;
  /** True where something is held beside the parts that stays when all of them go; absent where nothing ever is. */
  holdsAside?(message: Pick<Message, 'role' | 'wire'>): boolean;
  /** JSON pointer of a part inside its message. */
  pointer(wire: unknown, part: number, memory?: CodecMemory): string;
  /** The fields of a body that take up system text leaving the list. */
  lift?(body: Readonly<Record<string, unknown>>, wire: unknown): Record<string, unknown>;
};
