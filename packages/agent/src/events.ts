import type { Repair } from '@rethread/core';

import type { ModelErrorKind, Stop, Usage } from './model-port.ts';
import type { State } from './states.ts';

/** Who ended a run. `disconnect` is a reader that went away; it ends a run only if so configured. */
export type StopKind = 'stop' | 'disconnect' | 'deadline' | 'crash';

/** A piece of an answer as it is streamed. */
export type Piece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly tool: string; readonly fragment: string };

/** A call that waits for an approval. */
export type Ask = {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** The child session of the call and its questions; the answers let the call continue. */
  readonly child?: { readonly session: string; readonly asks: readonly Ask[] };
};

/** The events of a run. A change of the session is reported after it was recorded. */
export type AgentEvent =
  | { readonly kind: 'state'; readonly state: State; readonly turn: number; readonly step: number }
  | Piece
  | {
      readonly kind: 'answer';
      readonly messages: readonly unknown[];
      readonly text: string;
      readonly stop: Stop;
      readonly usage?: Usage;
    }
  | {
      readonly kind: 'call-started';
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      readonly key: string;
    }
  | {
      readonly kind: 'call-settled';
      readonly callId: string;
      readonly tool: string;
      readonly text: string;
      readonly error: boolean;
      /** It arrived after the call was closed and replaces the placeholder. */
      readonly late: boolean;
    }
  | { readonly kind: 'approval'; readonly ask: Ask }
  | { readonly kind: 'repaired'; readonly repairs: readonly Repair[] }
  | { readonly kind: 'retry'; readonly attempt: number; readonly delayMs: number; readonly why: ModelErrorKind }
  /** The shown part of this step is void: the answer is requested again, without streaming. */
  | { readonly kind: 'fallback'; readonly why: ModelErrorKind }
  | { readonly kind: 'recovered'; readonly from: State; readonly unsettled: number; readonly ms: number }
  /** From this record on, a shorter history represents the session. */
  | { readonly kind: 'compacted'; readonly seq: number }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'complete'; readonly text: string; readonly turn: number }
  | { readonly kind: 'waiting'; readonly asks: readonly Ask[] }
  | { readonly kind: 'aborted'; readonly by: StopKind; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: Error };
