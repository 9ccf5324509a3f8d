import type { Origin } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import type { Ask, Piece, StopKind } from './events.ts';
import type { Stop, Usage } from './model-port.ts';
import type { State } from './states.ts';
import type { Effect } from './tool.ts';

/** The turn and request of a record. */
export type Place = { readonly turn: number; readonly step: number };

export type Why = {
  readonly by?: StopKind;
  readonly reason?: string;
  readonly stop?: Stop;
  /** Calls that wait for an approval. */
  readonly asks?: readonly Ask[];
};

/** The reason for a rest after a recovery ran calls; the crash itself was reported earlier. */
export const RECOVERED = 'recovered';

export type StateData = Place & Why & { readonly state: State };

export type StartedData = Place & {
  readonly callId: string;
  readonly tool: string;
  /** The model's input, stored so that the call can run again. */
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
  /** The outcome is unknown. The text says what is known, and a late result replaces it. */
  readonly placeholder?: true;
  readonly ms?: number;
};

export type MessageData = Place & {
  readonly dialect: string;
  readonly wire: unknown;
  /** What had been sent by then. */
  readonly origin?: Origin;
  /** It was stopped before it was complete. */
  readonly completeness?: 'aborted';
  /** The model was cut off here: a final call may be incomplete and does not run. */
  readonly cut?: true;
  /** Written by the loop, not by the user. */
  readonly synthetic?: true;
  readonly usage?: Usage;
  /** Given to the loop, not made by it: its calls may have run elsewhere. */
  readonly given?: true;
  /** The caller's name for the input. */
  readonly inputId?: string;
};

/** Notes are not part of the history; each has its own subject. */
export type NoteData =
  /** The shown part of an incomplete answer. */
  | (Place & { readonly about: 'shown'; readonly pieces: readonly Piece[] })
  /** A run resumed a session that another one had left. */
  | (Place & { readonly about: 'resumed'; readonly from: State; readonly unsettled: number; readonly ms: number })
  | { readonly about: 'decision'; readonly callId: string; readonly decision: 'allow' | 'deny' }
  /** Calls left out of the history instead of being closed. */
  | { readonly about: 'removed'; readonly callIds: readonly string[] }
  /** The provider's refusal of the history; later requests are prepared with it. */
  | {
      readonly about: 'refusal';
      readonly text: string;
      readonly dialect?: string;
      /** Its meaning for this history, if the index it names differs or is unknown here. */
      readonly as?: string;
    }
  | (Place & { readonly about: 'retry' | 'fallback'; readonly why: string; readonly attempt: number })
  /** Consecutive failures of the model to write a summary. */
  | { readonly about: 'compaction'; readonly failures: number; readonly why: string }
  | { readonly about: 'disconnected' }
  | { readonly about: 'unrepaired'; readonly messages: number };

export const stateRecord = (data: StateData): NewRecord => ({ kind: 'state', data });
export const startedRecord = (data: StartedData): NewRecord => ({ kind: 'call.started', data });
export const settledRecord = (data: SettledData): NewRecord => ({ kind: 'call.settled', data });
export const messageRecord = (data: MessageData): NewRecord => ({ kind: 'message', data });
export const noteRecord = (data: NoteData): NewRecord => ({ kind: 'note', data });
