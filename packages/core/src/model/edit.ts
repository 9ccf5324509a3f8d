import type { Action, Loss } from './finding.ts';
import type { Message, Part, Place } from './part.ts';

/** The smallest changes to a history. Rules propose them; only the doctor applies them. */
export type Edit =
  /** Puts other parts, or none, in the place of one part; `elsewhere` counts content that stands elsewhere too. */
  | {
      readonly kind: 'part';
      readonly message: number;
      readonly part: number;
      readonly parts: readonly Part[];
      readonly elsewhere?: number;
    }
  /** Puts other messages (or none) in the place of one message. */
  | { readonly kind: 'message'; readonly message: number; readonly messages: readonly Message[] }
  /** New messages before the one at this index; the length of the list means the end. */
  | { readonly kind: 'insert'; readonly message: number; readonly messages: readonly Message[] }
  /** Adds parts to the end of a message. */
  | { readonly kind: 'append'; readonly message: number; readonly parts: readonly Part[] }
  /** Puts a result where the calls of that step are answered. */
  | { readonly kind: 'answer'; readonly message: number; readonly order: number; readonly result: Part }
  /** Joins a message with the one after it; `wire` holds the keys of both. */
  | { readonly kind: 'join'; readonly message: number; readonly wire: unknown }
  /** Removes keys of the wire object of a message. */
  | { readonly kind: 'drop-keys'; readonly message: number; readonly keys: readonly string[] }
  /** Replaces lone surrogates and values JSON cannot carry. */
  | { readonly kind: 'mend'; readonly at: Place }
  /** Moves system text out of the list. */
  | { readonly kind: 'lift'; readonly message: number }
  /** Sets fields of the request around the list. */
  | { readonly kind: 'body'; readonly fields: Readonly<Record<string, unknown>> };

/** An edit of one part. */
export type PartEdit = Extract<Edit, { kind: 'part' }>;

/** The edits that answer one finding, and what they cost. */
export type Proposal = {
  readonly edits: readonly Edit[];
  readonly action: Action;
  readonly loss: Loss;
  readonly note: string;
  /** What its edits do to other messages than that of the finding, told at each of them. */
  readonly beside?: readonly { readonly message: number; readonly note: string }[];
  /** The change cannot matter to reasoning bound to its prefix: the model never saw what is removed. */
  readonly unseen?: boolean;
  /** A call that nothing answers and that has another id from now on, so that it can be closed in the same round. */
  readonly renamed?: {
    readonly message: number;
    readonly part: number;
    readonly from: string;
    readonly callId: string;
  };
};

/** Puts other parts in the place of one. */
export function replacePart(at: { message: number; part: number }, ...parts: readonly Part[]): PartEdit {
  return { kind: 'part', message: at.message, part: at.part, parts };
}

/** Removes one part. */
export function dropPart(at: { message: number; part: number }): PartEdit {
  return { kind: 'part', message: at.message, part: at.part, parts: [] };
}
