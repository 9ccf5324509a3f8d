import type { Dialect, Finding } from '@rethread/core';

import type { Fault } from './fault.ts';
import type { JsonObject } from './json.ts';
import type { Place } from './place.ts';

/** The id of a rule of `@rethread/core`. */
export type RuleId = Finding['rule'];

/** What the head and the tail of a file tell about a session in it. */
export type Head = {
  readonly id: string;
  readonly title?: string;
  readonly cwd?: string;
  /** The SHA-256 of the working directory, in hexadecimal, where a tool keeps that in its place. */
  readonly cwdHash?: string;
  /** The session that this one was started by, or forked from. */
  readonly parent?: string;
  /** Whether it is the session of a subagent, which nobody talks to. */
  readonly isSubagent?: boolean;
  /** When it was changed last, in milliseconds since 1970, where it shares its file with others. */
  readonly modified?: number;
};

/** A session that was found. `openSession` takes it. */
export type SessionRef = Head & {
  readonly tool: string;
  readonly path: string;
  readonly modified: number;
  /** The size of the file. */
  readonly bytes: number;
};

/** One record of a session, known or not, as its tool wrote it. */
export type Entry = {
  readonly place: Place;
  /** What the tool calls this kind of record. */
  readonly type: string;
  readonly value: JsonObject;
};

/** Why a part of a session is not in the next request. */
export type AbsentReason =
  /** A summary stands for it. */
  | 'compacted'
  /** The user undid it. */
  | 'rewound'
  /** It is on a branch that was left. */
  | 'branch'
  /** It belongs to a subagent. */
  | 'sidechain'
  /** The record that links it to the rest is gone. */
  | 'lost-parent'
  /** An answer that failed or was aborted; the tool leaves it out. */
  | 'failed'
  /** The tool shows it, or keeps it, but never sends it. */
  | 'hidden'
  /** The tool sends it in words that it makes up at that time. */
  | 'reworded'
  /** Another record stands for it under the same id. */
  | 'repeated'
  /** It cannot be read. */
  | 'torn';

export type Absent = {
  readonly reason: AbsentReason;
  readonly messages: number;
  readonly characters: number;
};

/** What the next request of a tool will contain. */
export type Active = {
  readonly dialect: Dialect;
  readonly model?: string;
  /** Messages in the dialect that the tool sends, as they are on disk: what the tool mends is not mended yet. */
  readonly messages: readonly unknown[];
  /** For each message, where it comes from. */
  readonly places: readonly (readonly Place[])[];
  /** The system prompt, where the tool keeps it. */
  readonly system?: string;
  /** Where the rest of the session went. */
  readonly absent: readonly Absent[];
  /** Rules whose breaches the tool itself mends when it loads the session. */
  readonly copes: readonly RuleId[];
};

/** Another file that belongs to a session. */
export type Related = {
  readonly kind: 'subagent' | 'parent' | 'side-file' | 'base' | 'index';
  readonly path: string;
  readonly isThere: boolean;
};

/** What a reader learns from one walk over a session. */
export type Reading = {
  /** The version of the tool, or of its format, that wrote the session last. */
  readonly version?: string;
  readonly id?: string;
  readonly title?: string;
  readonly cwd?: string;
  /** The session that this one was started by, or forked from. */
  readonly parent?: string;
  /** When it began and when it was changed last, as the records have it. */
  readonly times: { readonly created?: string; readonly updated?: string };
  readonly models: readonly string[];
  /** The dialect of the next request; undefined when nothing was said yet. */
  readonly dialect?: Dialect;
  readonly related: readonly Related[];
  readonly entries: () => AsyncIterable<Entry>;
  readonly active: () => Promise<Active>;
};

/** A session of another tool. */
export type ToolSession = Reading & {
  /** The id of the tool; undefined when no tool known here wrote this file, and `faults` says so. */
  readonly tool?: string;
  readonly path: string;
  /** Everything that is wrong with the files, as far as they were read. */
  readonly faults: readonly Fault[];
};
