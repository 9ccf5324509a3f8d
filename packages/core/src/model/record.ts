import type { Origin } from './part.ts';

/**
 * One immutable item of a session's log. Kinds that a projection does not know, and data in no known form, are carried
 * and change nothing.
 */
export type SessionRecord = {
  /** The version of the format it was written in; 1 is the newest that is known here. */
  readonly v: number;
  /** Numbers rise through a log, also through the part that a fork shares with the session it came from. */
  readonly seq: number;
  readonly id: string;
  readonly at: string;
} & (
  | MessageRecord
  | StartedRecord
  | SettledRecord
  | CheckpointRecord
  | RevertRecord
  | PinRecord
  | ForkRecord
  | OtherRecord
);

export type MessageRecord = {
  readonly kind: 'message';
  readonly data: {
    readonly dialect: string;
    readonly wire: unknown;
    /** Where it came from; `prefixDigest` says what had been sent when it came. */
    readonly origin?: Origin;
  };
};

/** A call is about to run. Without a settlement behind it nobody knows how far it came. */
export type StartedRecord = { readonly kind: 'call.started'; readonly data: { readonly callId: string } };

/** The result of a call, recorded when it ended. */
export type SettledRecord = {
  readonly kind: 'call.settled';
  readonly data: {
    readonly callId: string;
    /** The name of the tool, which some dialects repeat beside its result. */
    readonly tool?: string;
    readonly text: string;
    readonly error?: boolean;
  };
};

/**
 * A summary stands for the messages of a range of records, both ends included, or several messages do, among which
 * those of the range that stay are named by their number; or an earlier checkpoint is undone.
 */
export type CheckpointRecord = {
  readonly kind: 'checkpoint';
  readonly data:
    | {
        readonly from: number;
        readonly to: number;
        /** A message in the dialect, or plain text. */
        readonly summary: unknown;
        readonly dialect?: string;
      }
    | {
        readonly from: number;
        readonly to: number;
        readonly messages: readonly ({ readonly wire: unknown } | { readonly seq: number })[];
        readonly dialect?: string;
      }
    | { readonly undo: number };
};

/**
 * The log goes on from record `to`, as if what stands between had not been written. Going back to the record before a
 * revert undoes it.
 */
export type RevertRecord = {
  readonly kind: 'revert';
  readonly data: { readonly to: number; readonly undo?: number };
};

/** A pinned message stays beside the summary of a checkpoint that covers it. The newest word on a record counts. */
export type PinRecord = { readonly kind: 'pin'; readonly data: { readonly seq: number; readonly pinned: boolean } };

/** The records before this one are those of another session, up to `at`. */
export type ForkRecord = { readonly kind: 'fork'; readonly data: { readonly from: string; readonly at: number } };

export type OtherRecord = { readonly kind: 'state' | 'repair' | 'link' | 'note'; readonly data: unknown };
