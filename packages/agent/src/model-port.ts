import type { Dialect, TargetInput } from '@rethread/core';

import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** What the history is prepared for: always a dialect, and the model where its contract depends on it. */
export type PortTarget = Exclude<TargetInput, string> & { readonly dialect: Dialect };

/** A way to ask one model. It knows the client, the wire and the provider's errors; the loop knows none of these. */
export type ModelPort = {
  /** Shown in logs and spans, as `provider/model`. */
  readonly name: string;
  readonly target: PortTarget;
  /**
   * Sends one request. Yields what is shown while it comes; the last event is `end` with the whole message. Rejects
   * with a `ModelError` and nothing else, and does so soon after the signal aborts. Whoever stops iterating has
   * aborted too.
   */
  call(request: ModelRequest, options: CallOptions): AsyncIterable<ModelEvent>;
  /** Throws the client and its connections away; the next call makes new ones. */
  renew(): Promise<void> | void;
  /** A message of plain text on the wire; `{ role, content: text }` where it is left out. */
  message?(role: 'user' | 'assistant', text: string): unknown;
};

export type CallOptions = {
  readonly signal: AbortSignal;
  /** False asks for the whole answer at once: what is done after a stream stalled or was cut. */
  readonly stream: boolean;
  readonly clock: Clock;
  readonly log: Logger;
};

export type ModelRequest = {
  /** Wire messages, or items, that were proven sendable. */
  readonly messages: readonly unknown[];
  /** In the form of the dialect; plain text is understood by every port. */
  readonly system?: unknown;
  readonly tools: readonly ToolDeclaration[];
  readonly maxTokens?: number;
};

/** What a model is told about a tool. */
export type ToolDeclaration = {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type Usage = { readonly input: number; readonly output: number };

/** Why a model stopped: done, wants tools, no room left, refused, or asks to be called again with what it said. */
export type Stop = 'end' | 'calls' | 'length' | 'refusal' | 'pause';

export type ModelEvent =
  /** The head of the response arrived. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** Nothing to show, and the connection is alive. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'call'; readonly callId: string; readonly tool: string; readonly fragment: string }
  | {
      readonly kind: 'end';
      /** Wire messages, or items, to append. */
      readonly messages: readonly unknown[];
      readonly stop: Stop;
      readonly usage?: Usage;
      /** The id and the model that the provider gave the response. */
      readonly responseId?: string;
      readonly responseModel?: string;
    };

export type ModelErrorKind =
  /** Somebody stopped it. */
  | 'aborted'
  /** No connection, or none in time. */
  | 'connect'
  /** The connection broke, or the head of the response did not come in time. */
  | 'read'
  /** The stream went silent. */
  | 'stalled'
  /** The stream ended before the message did. */
  | 'cut'
  /** The provider does not take this history. */
  | 'refused-history'
  /** The history is too long for the model. */
  | 'overflow'
  | 'rate'
  | 'overloaded'
  | 'server'
  | 'auth'
  /** Refused for another reason than the history; the same request would be refused again. */
  | 'bad-request'
  /** An answer in no known form. */
  | 'malformed';

export type ModelErrorDetails = {
  readonly status?: number;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number;
  /** The messages as far as they came, in a form that can be stored: text, reasoning, and tool input that was cut. */
  readonly partial?: readonly unknown[];
  /** The first 500 characters of the answer, without keys. */
  readonly body?: string;
  readonly cause?: unknown;
};

const brand = Symbol.for('@rethread/agent ModelError');

/** What a call rejects with. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly partial: readonly unknown[];
  readonly body?: string;

  constructor(kind: ModelErrorKind, message: string, details: ModelErrorDetails = {}) {
    super(message, { cause: details.cause });
    Object.defineProperty(this, brand, { value: true });
    this.kind = kind;
    this.partial = details.partial ?? [];
    if (details.status !== undefined) this.status = details.status;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.body !== undefined) this.body = details.body;
  }

  /** Whether an error is one of these, also of another copy of this package, which `instanceof` does not see. */
  static is(error: unknown): error is ModelError {
    return typeof error === 'object' && error !== null && brand in error;
  }
}
