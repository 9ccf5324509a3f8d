import type { CompactOptions, ShouldCompactOptions, SummaryModel } from '@rethread/core';

import type { ModelRequest, PortTarget, Usage } from './model-port.ts';

/** What the provider counted for a request. */
export type Counted = { readonly request: ModelRequest; readonly usage: Usage };

/** What a compaction is decided by. */
export type CompactionView = {
  /** The history on the wire, as it stands in the log. */
  readonly messages: readonly unknown[];
  readonly target: PortTarget;
  /** What the provider counted for the newest answer. */
  readonly usage: Usage | undefined;
};

/** What a compaction has to heed. */
export type ShortenOptions = {
  readonly target: PortTarget;
  readonly signal: AbortSignal;
  /** Places of the messages that somebody pinned. */
  readonly pins: readonly number[];
  /** True when the provider has refused the history for its length. */
  readonly overflow: boolean;
};

/** When and how a session is made shorter. What the shorter history stands for stays in the log. */
export type Compaction = {
  isDue(view: CompactionView): boolean;
  /** Gives a shorter list. Messages that stay are the same objects, in the order in which they are to stand. */
  shorten(messages: readonly unknown[], options: ShortenOptions): Promise<readonly unknown[]>;
};

type Heeded = 'budgetTokens' | 'pins' | 'model' | 'at' | 'breaker' | 'target';

/** Choices for the compaction that core makes. Each can be left out. */
export type CompactionOptions = Omit<CompactOptions, Heeded> &
  Pick<ShouldCompactOptions, 'trigger' | 'windowTokens'> & {
    /** What the messages may weigh afterwards; 20 000 tokens. It is due at twice that, or at 0.8 of a known window. */
    readonly budgetTokens?: number;
    /** Who writes the summary: the agent's own model, or another. A ladder without `summary` asks nobody. */
    readonly model?: 'same' | SummaryModel;
  };
