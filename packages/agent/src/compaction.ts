import type { CompactOptions, ShouldCompactOptions, SummaryModel } from '@rethread/core';

import type { ModelRequest, PortTarget, Usage } from './model-port.ts';

/** Token counts from the provider. */
export type Counted = { readonly request: ModelRequest; readonly usage: Usage };

/** The state that decides about a compaction. */
export type CompactionView = {
  /** The wire messages of the log. */
  readonly messages: readonly unknown[];
  readonly target: PortTarget;
  /** The provider's token count for the newest answer. */
  readonly usage: Usage | undefined;
};

/** The constraints of a compaction. */
export type ShortenOptions = {
  readonly target: PortTarget;
  readonly signal: AbortSignal;
  /** The indexes of pinned messages. */
  readonly pins: readonly number[];
  /** True if the provider refused the history as too long. */
  readonly overflow: boolean;
};

/** When and how to shorten a session. The replaced records stay in the log. */
export type Compaction = {
  isDue(view: CompactionView): boolean;
  /** Returns a shorter list. Kept messages are the same objects, in their new order. */
  shorten(messages: readonly unknown[], options: ShortenOptions): Promise<readonly unknown[]>;
};

type Heeded = 'budgetTokens' | 'pins' | 'model' | 'at' | 'breaker' | 'target';

/** Options of core's compaction, all optional. */
export type CompactionOptions = Omit<CompactOptions, Heeded> &
  Pick<ShouldCompactOptions, 'trigger' | 'windowTokens'> & {
    /** Token budget for the result (default: 20000). Compaction starts at twice that, or at 0.8 of a known window. */
    readonly budgetTokens?: number;
    /** Who writes the summary: the agent's model or another. Without `summary`, no model is asked. */
    readonly model?: 'same' | SummaryModel;
  };
