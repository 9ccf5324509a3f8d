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

/** The options of an agent. Only store and model are required. */
export type AgentOptions = {
  readonly store: Store;
  readonly model: ModelPort;
  readonly tools?: Tools;
  /** In the form of the model's dialect; plain text works everywhere. */
  readonly system?: unknown;
  /**
   * Shortens long sessions: `true` for core's defaults, an object for options, or your own function. By default it
   * happens only when a provider refuses the history as too long, by rules; `false` turns that off too.
   */
  readonly compaction?: boolean | CompactionOptions | Compaction;
  readonly onEvent?: (event: AgentEvent, session: string) => void;
  /** Asks whether a call may run. Without it, or without an answer in time, the run rests until `approve`. */
  readonly onApproval?: (ask: Ask, session: string) => Promise<'allow' | 'deny'>;
  /** What happens to calls with an unknown outcome (default: by the tool's effect). */
  readonly unsettled?: Unsettled;
  readonly deadlines?: Partial<Deadlines>;
  readonly retry?: Partial<RetryLimits>;
  readonly maxTokens?: number;
  /** Maximum requests per turn. */
  readonly maxSteps?: number;
  /** After this many resumes without progress, the agent stops retrying. */
  readonly crashBudget?: number;
  /**
   * Text is recorded before it is shown, in portions of this many milliseconds, so that a crash loses nothing that was
   * seen. `Infinity` shows it at once and records it at the end or stop of the answer.
   */
  readonly showEveryMs?: number;
  readonly stream?: boolean;
  readonly clock?: Clock;
  readonly logger?: Logger;
  /** A number from 0 to below 1 that varies the waits between attempts. */
  readonly random?: () => number;
  /** Where spans go (default: `@opentelemetry/api`, if installed). */
  readonly tracing?: Tracing;
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** Identifies one run. */
export type RunToken = { readonly session: string };

/** The settings with all defaults. */
export type Settings = Required<Pick<AgentOptions, 'store' | 'tools' | 'maxSteps' | 'crashBudget' | 'showEveryMs'>> &
  Required<Pick<AgentOptions, 'stream' | 'clock' | 'random' | 'env'>> &
  Pick<AgentOptions, 'system' | 'onEvent' | 'onApproval' | 'maxTokens'> & {
    readonly port: ModelPort;
    readonly compaction: CompactionOptions | Compaction | undefined;
    /** What happens after a provider refused the history as too long. */
    readonly rescue: CompactionOptions | Compaction | undefined;
    readonly deadlines: Deadlines;
    readonly retry: RetryLimits;
    readonly unsettled: Unsettled;
    readonly log: Logger;
    readonly tracing: Tracing;
    /** The active run of each session in this process. */
    readonly running: Map<string, RunToken>;
  };
