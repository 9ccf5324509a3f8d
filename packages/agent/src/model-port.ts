import type { Dialect, TargetInput } from '@rethread/core';

import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** The target of the history: a dialect, and the model if its contract depends on it. */
export type PortTarget = Exclude<TargetInput, string> & { readonly dialect: Dialect };

/** Access to one model. It hides the client, the wire format and the provider's errors from the loop. */
export type ModelPort = {
  /** Shown in logs and spans as `provider/model`. */
  readonly name: string;
  readonly target: PortTarget;
  /**
   * Sends one request and yields events; the last is `end` with the whole message. Rejects only with a `ModelError`,
   * and soon after the signal aborts. Ending the iteration aborts too.
   */
  call(request: ModelRequest, options: CallOptions): AsyncIterable<ModelEvent>;
  /** Discards the client and its connections; the next call creates new ones. */
  renew(): Promise<void> | void;
  /** Makes a plain-text wire message (default: `{ role, content: text }`). */
  message?(role: 'user' | 'assistant', text: string): unknown;
};

export type CallOptions = {
  readonly signal: AbortSignal;
  /** False requests the whole answer at once, after a stream stalled or broke. */
  readonly stream: boolean;
  readonly clock: Clock;
  readonly log: Logger;
};

export type ModelRequest = {
  /** Wire messages or items that were verified as sendable. */
  readonly messages: readonly unknown[];
  /** In the form of the dialect. Every port accepts plain text. */
  readonly system?: unknown;
  readonly tools: readonly ToolDeclaration[];
  readonly maxTokens?: number;
};

/** A tool as the model sees it. */
export type ToolDeclaration = {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the input object. */
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type Usage = { readonly input: number; readonly output: number };

/** Why a model stopped: finished, tool calls, token limit, refusal, or a request to be called again. */
export type Stop = 'end' | 'calls' | 'length' | 'refusal' | 'pause';

export type ModelEvent =
  /** The response head arrived. */
  | { readonly kind: 'begin' }
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** A sign of life with nothing to show. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'call'; readonly callId: string; readonly tool: string; readonly fragment: string }
  | {
      readonly kind: 'end';
      /** Wire messages or items to append. */
      readonly messages: readonly unknown[];
      readonly stop: Stop;
      readonly usage?: Usage;
      /** The provider's id and model name of the response. */
      readonly responseId?: string;
      readonly responseModel?: string;
    };

export type ModelErrorKind =
  | 'aborted'
  /** No connection, or not in time. */
  | 'connect'
  /** The connection broke, or the response head was late. */
  | 'read'
  /** The stream stalled. */
  | 'stalled'
  /** The stream ended before the message. */
  | 'cut'
  /** The provider refused the history. */
  | 'refused-history'
  /** The history is too long for the model. */
  | 'overflow'
  | 'rate'
  | 'overloaded'
  | 'server'
  | 'auth'
  /** Refused for another reason; a retry would be refused too. */
  | 'bad-request'
  /** An unknown response format. */
  | 'malformed';

export type ModelErrorDetails = {
  readonly status?: number;
  /** The wait that the provider asks for. */
  readonly retryAfterMs?: number;
  /** The partial messages in a storable form: text, reasoning, and incomplete tool input. */
  readonly partial?: readonly unknown[];
  /** The first 500 characters of the response body, without secrets. */
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
