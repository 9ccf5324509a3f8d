import type { Store } from '@rethread/store';

import type { Clock } from './clock.ts';
import type { Compaction, CompactionOptions } from './compaction.ts';
import type { Deadlines } from './deadlines.ts';
import type { Unsettled } from './effects.ts';
import type { AgentEvent, Ask } from './events.ts';
import type { Logger } from './logger.ts';
import type { ModelPort } from './model-port.ts';
import type { RetryLimits } from './retry.ts';
import type { Tools } from './tool.ts';
import type { Tracing } from './tracing.ts';

/** What an agent is made of. Everything but the store and the model can be left out. */
export type AgentOptions = {
  readonly store: Store;
  readonly model: ModelPort;
  readonly tools?: Tools;
  /** In the form of the model's dialect; plain text is understood by all. */
  readonly system?: unknown;
  /**
   * Makes long sessions shorter: `true` as core does it by default, by choices of yours, or in a way of your own. Left
   * out, it happens only when a provider refuses the history for its length, by rules; with `false` not even then.
   */
  readonly compaction?: boolean | CompactionOptions | Compaction;
  readonly onEvent?: (event: AgentEvent, session: string) => void;
  /** Asks somebody whether a call may run. Without it, or without an answer in time, the run rests until `approve`. */
  readonly onApproval?: (ask: Ask, session: string) => Promise<'allow' | 'deny'>;
  /** What becomes of calls whose outcome is not known; by the effect of their tool where nothing is said. */
  readonly unsettled?: Unsettled;
  readonly deadlines?: Partial<Deadlines>;
  readonly retry?: Partial<RetryLimits>;
  readonly maxTokens?: number;
  /** The most requests of one turn. */
  readonly maxSteps?: number;
  /** How often a session is taken up without getting on before it is left alone. */
  readonly crashBudget?: number;
  /**
   * Text is recorded before it is shown, in portions of this many milliseconds, so that even a crash loses nothing that
   * was seen. `Infinity` shows it at once and records it when the answer is whole or was stopped.
   */
  readonly showEveryMs?: number;
  readonly stream?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** A number from 0 up to 1, for the length of waits between attempts. */
  readonly random?: () => number;
  /** Where spans go; `@opentelemetry/api` where nothing is said and it is installed. */
  readonly tracing?: Tracing;
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** Stands for one run, and for nothing else. */
export type RunToken = { readonly session: string };

/** The same with nothing left open. */
export type Settings = Required<Pick<AgentOptions, 'store' | 'tools' | 'maxSteps' | 'crashBudget' | 'showEveryMs'>> &
  Required<Pick<AgentOptions, 'stream' | 'clock' | 'random' | 'env'>> &
  Pick<AgentOptions, 'system' | 'onEvent' | 'onApproval' | 'maxTokens'> & {
    readonly port: ModelPort;
    readonly compaction: CompactionOptions | Compaction | undefined;
    /** What is done when a provider has refused the history for its length. */
    readonly rescue: CompactionOptions | Compaction | undefined;
    readonly deadlines: Deadlines;
    readonly retry: RetryLimits;
    readonly unsettled: Unsettled;
    readonly log: Logger;
    readonly tracing: Tracing;
    /** The run that works on each session of the store that is in use in this process. */
    readonly running: Map<string, RunToken>;
  };
