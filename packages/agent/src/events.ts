import type { Repair } from '@rethread/core';

import type { ModelErrorKind, Stop, Usage } from './model-port.ts';
import type { State } from './states.ts';

/** Who ended a run. A `disconnect` is a reader that went away; it ends a run only where that was asked for. */
export type StopKind = 'stop' | 'disconnect' | 'deadline' | 'crash';

/** A piece of an answer, as it is shown while it comes. */
export type Piece =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly callId: string; readonly tool: string; readonly fragment: string };

/** A call that waits for somebody's approval. */
export type Ask = {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  /** The session that works for the call, and what it asks; with the answers the call goes on. */
  readonly child?: { readonly session: string; readonly asks: readonly Ask[] };
};

/** What a run tells while it goes on. Everything that changes the session is told after it was recorded. */
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
      /** It came after the call had been closed, and takes the place of what was said instead. */
      readonly late: boolean;
    }
  | { readonly kind: 'approval'; readonly ask: Ask }
  | { readonly kind: 'repaired'; readonly repairs: readonly Repair[] }
  | { readonly kind: 'retry'; readonly attempt: number; readonly delayMs: number; readonly why: ModelErrorKind }
  /** What was shown of this step is void: the answer is asked for once more, in one piece. */
  | { readonly kind: 'fallback'; readonly why: ModelErrorKind }
  | { readonly kind: 'recovered'; readonly from: State; readonly unsettled: number; readonly ms: number }
  /** A shorter history stands for the session, from this record on. */
  | { readonly kind: 'compacted'; readonly seq: number }
  | { readonly kind: 'disconnected' }
  | { readonly kind: 'complete'; readonly text: string; readonly turn: number }
  | { readonly kind: 'waiting'; readonly asks: readonly Ask[] }
  | { readonly kind: 'aborted'; readonly by: StopKind; readonly reason: string }
  | { readonly kind: 'failed'; readonly error: Error };
