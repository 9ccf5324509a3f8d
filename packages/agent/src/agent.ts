import type { Store } from '@rethread/store';

import type { CompactionOptions } from './compaction.ts';
import { approve } from './approve.ts';
import { checkAgentOptions, checkRecovery, checkRun, given } from './check-options.ts';
import { DEADLINES } from './deadlines.ts';
import { realClock } from './clock.ts';
import type { Logger, LogLine } from './logger.ts';
import { recoverRun, type RecoveredState, type RecoverOptions } from './recover.ts';
import { RETRY } from './retry.ts';
import { refusing, startRun, type Run, type RunOptions } from './run.ts';
import type { RunScope } from './run-scope.ts';
import type { AgentOptions, RunToken, Settings } from './settings.ts';
import { lazyTracing, safeTracing } from './tracing.ts';
import { runTurn, type Input, type RunResult } from './turn.ts';
import { undisturbed } from './undisturbed.ts';

/** An agent whose sessions can be stopped and resumed anywhere. */
export type Agent = {
  /** Answers an input, or without one continues the turn. Starts at once. */
  run(session: string, input?: Input, options?: RunOptions): Run<RunResult>;
  /** Settles what an earlier run left behind and returns what it found. The session must exist. */
  recover(session: string, options?: RecoverOptions): Promise<RecoveredState>;
  /**
   * Records decisions about waiting calls. The next run in any process acts on them. For a call that waits for its
   * child, the decision goes to all questions of the child.
   */
  approve(session: string, decisions: Readonly<Record<string, 'allow' | 'deny'>>): Promise<void>;
};

export function createAgent(options: AgentOptions): Agent {
  checkAgentOptions(options);
  const settings = settingsOf(options);
  return {
    run: (session, input, more = {}) =>
      refusing(session, () => {
        checkRun(input, more);
        const work = (run: RunScope): Promise<RunResult> => runTurn(run, { input, ...more });
        return startRun(session, { settings, begins: true, options: more, work });
      }),
    recover: async (session, wishes = {}) => {
      checkRecovery(wishes);
      const { unsettled = settings.unsettled, signal } = wishes;
      const options = signal === undefined ? {} : { signal };
      const work = (run: RunScope): Promise<RecoveredState> => recoverRun(run, unsettled);
      return startRun(session, { settings, begins: false, options, work }).result;
    },
    approve: (session, decisions) => approve(settings, session, decisions),
  };
}

/** Without `summary`, no model is asked, because no permission was given. */
const BY_RULES: CompactionOptions = { ladder: ['clamp', 'repeated-reads', 'prune', 'rule-summary'] };

function settingsOf(options: AgentOptions): Settings {
  const { model, deadlines, retry, logger, unsettled, compaction: wanted, ...rest } = options;
  const compaction = wanted === true ? {} : wanted === false ? undefined : wanted;
  return {
    ...rest,
    port: model,
    compaction,
    rescue: wanted === undefined ? BY_RULES : compaction,
    tools: options.tools ?? {},
    maxSteps: options.maxSteps ?? 200,
    crashBudget: options.crashBudget ?? 5,
    showEveryMs: options.showEveryMs ?? 100,
    stream: options.stream ?? true,
    clock: options.clock ?? realClock,
    random: options.random ?? Math.random,
    env: options.env ?? process.env,
    deadlines: { ...DEADLINES, ...given(deadlines) },
    retry: { ...RETRY, ...given(retry) },
    unsettled: unsettled ?? 'by-effect',
    tracing: safeTracing(options.tracing ?? lazyTracing()),
    log: (line) => tell(logger, line),
    running: runningOn(options.store),
  };
}

/** Agents with the same store share its lease, so they check each other's runs here. */
const RUNNING = new WeakMap<Store, Map<string, RunToken>>();

function runningOn(store: Store): Map<string, RunToken> {
  const known = RUNNING.get(store) ?? new Map<string, RunToken>();
  RUNNING.set(store, known);
  return known;
}

/** A failing logger must not end a run, and nobody is left to be told. */
function tell(logger: Logger | undefined, line: LogLine): void {
  if (logger !== undefined)
    undisturbed(
      () => logger(line),
      () => undefined,
    );
}
