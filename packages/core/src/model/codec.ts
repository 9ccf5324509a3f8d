import type { Detail, Fact } from './fact.ts';
import type { Message, PartKind, Role } from './part.ts';
import type { Profile } from './profile.ts';

/** Receives what a codec reads, as primitives, so that a clean history allocates nothing. */
export type Sink = {
  /** False when the message is known to be locally sound and only its structure is needed. */
  readonly deep: boolean;
  readonly profile: Profile;
  /** What the request around the list declares; undefined when a bare history is judged. */
  readonly request: RequestFacts | undefined;
  message(role: Role): void;
  part(kind: PartKind, id: string | undefined, server: boolean): void;
  /** A fact about the part read last or, before any part, about the message. */
  fact(fact: Fact, detail?: Detail): void;
  /** Characters of content read so far; a codec adds to it. */
  total: number;
};

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
};

/** Reads and writes one wire format. Every function is total over values that do not throw when read. */
export type Codec = {
  readonly dialect: string;
  /**
   * Messages of the usual shapes, made as a parser makes them. An engine forgets a shape, and the fast code it has for
   * it, when no object of that shape is left at a full collection; these are always left.
   */
  readonly samples: unknown;
  /** The key of the message list inside a whole request body. */
  readonly listKey: string;
  /** The role of the messages that carry results. */
  readonly results: 'user' | 'tool';
  scan(wire: unknown, sink: Sink): void;
  request(body: Readonly<Record<string, unknown>>): RequestFacts;
  /** The same parts in the same order as `scan` reports them. */
  read(wire: unknown, index: number): Message;
  write(message: Message): unknown;
  /** Whatever can be read of a message that `scan` could not read; undefined if nothing. */
  salvage(wire: unknown, index: number): Message | undefined;
  /** JSON pointer of a part inside its message. */
  pointer(wire: unknown, part: number): string;
  /** The fields of a body that take up system text leaving the list. */
  lift?(body: Readonly<Record<string, unknown>>, wire: unknown): Record<string, unknown>;
};
