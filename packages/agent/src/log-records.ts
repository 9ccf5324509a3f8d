import type { Origin } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import type { Ask, Piece, StopKind } from './events.ts';
import type { Stop, Usage } from './model-port.ts';
import type { State } from './states.ts';
import type { Effect } from './tool.ts';

/** Which turn and which request of it a record belongs to. */
export type Place = { readonly turn: number; readonly step: number };

/** Why a session is in the state that it is in. */
export type Why = {
  readonly by?: StopKind;
  readonly reason?: string;
  readonly stop?: Stop;
  /** Calls that wait for an approval. */
  readonly asks?: readonly Ask[];
};

/** The reason for resting where a recovery has run calls: the crash itself was told when it was found. */
export const RECOVERED = 'recovered';

export type StateData = Place & Why & { readonly state: State };

export type StartedData = Place & {
  readonly callId: string;
  readonly tool: string;
  /** What the model gave, so that it can be run again. */
  readonly input: unknown;
  readonly key: string;
  readonly effect: Effect | 'undeclared';
};

export type SettledData = {
  readonly callId: string;
  readonly tool: string;
  readonly text: string;
  readonly error?: true;
  readonly late?: true;
  /** Nobody knows the outcome: the text says what is known, and a real result takes its place whenever it comes. */
  readonly placeholder?: true;
  readonly ms?: number;
};

export type MessageData = Place & {
  readonly dialect: string;
  readonly wire: unknown;
  /** What had been sent when it came. */
  readonly origin?: Origin;
  /** It was stopped before it was whole. */
  readonly completeness?: 'aborted';
  /** The model was stopped in the middle of it: a call that it ends with may be half, and does not run. */
  readonly cut?: true;
  /** Written by the loop, not by the user. */
  readonly synthetic?: true;
  readonly usage?: Usage;
  /** It was given to the loop, not made by it: what it calls may have run elsewhere. */
  readonly given?: true;
  /** The name that the caller gave to what the user said. */
  readonly inputId?: string;
};

/** Notes have no part in the history; each says what it is about. */
export type NoteData =
  /** What was shown of an answer that is not whole yet. */
  | (Place & { readonly about: 'shown'; readonly pieces: readonly Piece[] })
  /** A run took the session up that another one had left. */
  | (Place & { readonly about: 'resumed'; readonly from: State; readonly unsettled: number; readonly ms: number })
  | { readonly about: 'decision'; readonly callId: string; readonly decision: 'allow' | 'deny' }
  /** Calls that were left out of the history instead of being closed. */
  | { readonly about: 'removed'; readonly callIds: readonly string[] }
  /** What the provider said when it refused the history; later requests are prepared with it in mind. */
  | {
      readonly about: 'refusal';
      readonly text: string;
      readonly dialect?: string;
      /** What it means for this history, where the place that it names is another one here, or is not known. */
      readonly as?: string;
    }
  | (Place & { readonly about: 'retry' | 'fallback'; readonly why: string; readonly attempt: number })
  /** How often in a row the model has failed to write a summary. */
  | { readonly about: 'compaction'; readonly failures: number; readonly why: string }
  | { readonly about: 'disconnected' }
  | { readonly about: 'unrepaired'; readonly messages: number };

export const stateRecord = (data: StateData): NewRecord => ({ kind: 'state', data });
export const startedRecord = (data: StartedData): NewRecord => ({ kind: 'call.started', data });
export const settledRecord = (data: SettledData): NewRecord => ({ kind: 'call.settled', data });
export const messageRecord = (data: MessageData): NewRecord => ({ kind: 'message', data });
export const noteRecord = (data: NoteData): NewRecord => ({ kind: 'note', data });
