import { calibrate, compact, estimateTokens, shouldCompact, type Breaker, type TokenCounter } from '@rethread/core';
import type { NewRecord } from '@rethread/store';

import type { Compaction, CompactionOptions, Counted, ShortenOptions } from './compaction.ts';
import { noteRecord, type NoteData } from './log-records.ts';
import type { PortTarget } from './model-port.ts';
import type { RunScope } from './run-scope.ts';
import { summariser } from './summariser.ts';

const BUDGET_TOKENS = 20_000;
const WINDOW_SHARE = 0.8;

/** Core's compaction for one run. What it learns about the model is noted in the log. */
export class CoreCompaction implements Compaction {
  readonly #run: RunScope;
  readonly #options: CompactionOptions;
  #note: NewRecord | undefined;

  constructor(run: RunScope, options: CompactionOptions) {
    this.#run = run;
    this.#options = options;
  }

  get #budgetTokens(): number {
    return this.#options.budgetTokens ?? BUDGET_TOKENS;
  }

  isDue({ messages, target }: { readonly messages: readonly unknown[]; readonly target: PortTarget }): boolean {
    const { trigger = [{ tokens: 2 * this.#budgetTokens }, { fraction: WINDOW_SHARE }], windowTokens } = this.#options;
    const known = windowTokens === undefined ? {} : { windowTokens };
    return shouldCompact(messages, { trigger, target, count: this.#counter(target), ...known });
  }

  async shorten(messages: readonly unknown[], options: ShortenOptions): Promise<readonly unknown[]> {
    const before = failuresIn(this.#run.log.records);
    // A model that exceeds the deadline counts as failed.
    this.#remember(before, { failures: before.failures + 1 }, 'the compaction timed out');
    const made = await this.#compact(messages, options, before);
    const failed = made.report.steps.find(({ outcome }) => outcome === 'failed');
    this.#remember(before, made.breaker, failed?.note ?? '');
    const { steps, tokensBefore, tokens, met, why } = made.report;
    const event = failed === undefined ? 'compaction' : 'compaction-failed';
    this.#run.tell({ level: failed === undefined ? 'info' : 'warn', event, steps, tokensBefore, tokens, met, why });
    if (failed === undefined || !options.overflow) return made.history;
    // A session that is too long for its model cannot continue, so it is shortened by rules.
    return (await this.#compact(messages, options, undefined)).history;
  }

  /** The record of a finished compaction. */
  note(): NewRecord | undefined {
    return this.#note;
  }

  #compact(
    messages: readonly unknown[],
    { target, signal, pins, overflow }: ShortenOptions,
    breaker: Breaker | undefined,
  ): ReturnType<typeof compact<readonly unknown[]>> {
    const { trigger: _, windowTokens: __, model = 'same', count: ___, ...choices } = this.#options;
    const count = this.#counter(target);
    const weight = overflow ? estimateTokens(messages, target, count) : Infinity;
    const asked = model === 'same' ? summariser(this.#run, signal) : model;
    return compact(messages, {
      ...choices,
      // A refused history must shrink a lot, whatever the budget.
      budgetTokens: Math.min(this.#budgetTokens, Math.floor(weight / 2)),
      ...(breaker === undefined ? {} : { model: asked, breaker }),
      at: new Date(this.#run.settings.clock.now()).toISOString(),
      pins,
      target,
      count,
    });
  }

  /** The chosen token counter, corrected by the provider's last count. */
  #counter(target: PortTarget): TokenCounter {
    const count = this.#options.count ?? ((text: string) => estimateTokens(text));
    const { counted } = this.#run;
    if (counted === undefined) return count;
    return calibrate(count, { estimated: requestTokens(counted, target, count), actual: counted.usage.input });
  }

  #remember(before: Breaker, { failures }: Breaker, why: string): void {
    this.#note = failures === before.failures ? undefined : noteRecord({ about: 'compaction', failures, why });
  }
}

function requestTokens({ request }: Counted, target: PortTarget, count: TokenCounter): number {
  const told = (value: unknown): number =>
    value === undefined ? 0 : count(typeof value === 'string' ? value : JSON.stringify(value));
  return estimateTokens(request.messages, target, count) + told(request.system) + told(request.tools);
}

/** The model's summary failures in this session so far. */
function failuresIn(records: RunScope['log']['records']): Breaker {
  const noted = records.findLast(({ kind, data }) => kind === 'note' && (data as NoteData).about === 'compaction');
  return { failures: (noted?.data as { readonly failures?: number } | undefined)?.failures ?? 0 };
}
