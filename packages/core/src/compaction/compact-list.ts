import type { Rung } from './checkpoint.ts';
import { chooseCut, keptFrom, type CutChoice, type Keep } from './choose-cut.ts';
import { clampResults } from './clamp.ts';
import { farEnd, type FarWish } from './far-end.ts';
import type { Bench, Gone, Shortened } from './gone.ts';
import { layoutOf, layoutOfEnd, protectedStretches, type Layout, type Stretch } from './layout.ts';
import { pruneResults, type PruneChoices } from './prune.ts';
import { dropRepeatedReads } from './repeated-reads.ts';
import { SummaryError } from './summary-check.ts';
import type { SummaryModel } from './summary-prompt.ts';
import type { SummaryMessage } from './summary.ts';
import { unsealFrom } from './unseal.ts';
import { leastWeights, writeSummary, type Summarised } from './write-summary.ts';

/** What became of one step. */
export type StepReport = {
  readonly step: Rung;
  /** `refused`: nothing would have become shorter. `failed`: there is no summary. `undone`: a later step failed. */
  readonly outcome: 'done' | 'not-needed' | 'refused' | 'failed' | 'undone';
  readonly note: string;
  /** How often a model was asked. */
  readonly calls?: number;
};

/** How a model has done so far; given back with every result, to be given in again. */
export type Breaker = { readonly failures: number };

/** After so many failures in a row the model is not asked any more. */
export const MAX_FAILURES = 3;

export type CompactChoices = {
  readonly budgetTokens: number;
  readonly keep: Keep;
  /** Places of messages that stay as they are. */
  readonly pins: readonly number[];
  readonly ladder: readonly Rung[];
  readonly prune: Omit<PruneChoices, 'isExempt'>;
  /** Results that are longer than this are clamped. */
  readonly clampTokens: number;
  readonly summaryTokens: number;
  readonly inputTokens: number;
  readonly model: SummaryModel | undefined;
  readonly at: string | undefined;
  readonly breaker: Breaker;
};

export type CompactedList = {
  readonly list: readonly unknown[];
  readonly steps: readonly StepReport[];
  readonly gone: readonly Gone[];
  readonly summary: SummaryMessage | undefined;
  readonly breaker: Breaker;
  /** Whether the source is so much longer than the budget that nobody counted all of it. */
  readonly isFar: boolean;
};

/** A history of more than so many budgets is summarised straight away: no other step would be enough. */
const FAR = 8;

/** What is kept of such a history stands within its last budgets; where it does not, everything is walked. */
const NEAR = 3;

/** What a token is taken for where nothing is counted yet. */
const CHARACTERS_PER_TOKEN = 4;

/** Makes a list shorter, step by step, until it is within its budget; each step only if it is still needed. */
export async function compactList(
  source: readonly unknown[],
  choices: CompactChoices,
  bench: Bench,
): Promise<CompactedList> {
  const { budgetTokens, ladder, breaker } = choices;
  if (bench.scales.upTo(source, budgetTokens) > budgetTokens) return new Compaction(source, choices, bench).run();
  const steps = ladder.map(notNeeded);
  return { list: source, steps, gone: [], summary: undefined, breaker, isFar: false };
}

class Compaction {
  readonly #source: readonly unknown[];
  readonly #choices: CompactChoices;
  readonly #bench: Bench;
  readonly #isFar: boolean;
  #layout: Layout;
  #stretches: readonly Stretch[];
  readonly #least: ReturnType<typeof leastWeights>;
  readonly #steps: StepReport[] = [];
  #list: readonly unknown[];
  /** The list before a summary, each message in the place that it has in the source. */
  #shortened: readonly unknown[];
  #gone: Gone[] = [];

  constructor(source: readonly unknown[], choices: CompactChoices, bench: Bench) {
    this.#source = source;
    this.#list = source;
    this.#shortened = source;
    this.#choices = choices;
    this.#bench = bench;
    const from = farEnd(source, farWish(choices), bench);
    this.#isFar = from !== undefined;
    const end = from === undefined ? undefined : layoutOfEnd(source, { ...choices, from }, bench);
    this.#layout = end ?? layoutOf(source, bench);
    this.#stretches = protectedStretches(this.#layout, choices.pins);
    this.#least = leastWeights(source, { layout: this.#layout, bench, at: choices.at });
  }

  async run(): Promise<CompactedList> {
    for (const step of ['clamp', 'repeated-reads', 'prune'] as const) {
      if (this.#choices.ladder.includes(step) && this.#isOver()) this.#shorten(step);
    }
    return this.#isOver() ? this.#summarise() : this.#result(undefined, this.#choices.breaker);
  }

  #isOver(): boolean {
    const { budgetTokens } = this.#choices;
    return this.#bench.scales.upTo(this.#list, budgetTokens) > budgetTokens;
  }

  #shorten(step: 'clamp' | 'repeated-reads' | 'prune'): void {
    if (this.#isFar) {
      this.#steps.push({
        step,
        outcome: 'refused',
        note: `the list is more than ${String(FAR)} times too long for it`,
      });
      return;
    }
    const { list, gone } = this.#apply(step);
    if (gone.length === 0) {
      this.#steps.push({ step, outcome: 'refused', note: 'there was nothing to make shorter' });
      return;
    }
    this.#list = list;
    this.#gone = this.#gone.concat(gone);
    const note = `${String(gone.length)} ${gone.length === 1 ? 'message' : 'messages'} shortened`;
    this.#steps.push({ step, outcome: 'done', note });
  }

  #apply(step: 'clamp' | 'repeated-reads' | 'prune'): Shortened {
    const { keep, pins, prune, clampTokens } = this.#choices;
    const pinned = new Set(pins);
    // The newest turn is what is being worked on: it is clamped only where nothing else helps. A read in it that was
    // made again there is outdated all the same, unless the caller has said how much is to stay as it is.
    const isAsked = keep.minTurns !== undefined || keep.minMessages !== undefined;
    const kept = step === 'clamp' || isAsked ? keptFrom(this.#layout, keep) : this.#list.length;
    const isExempt = (index: number): boolean => index >= kept || pinned.has(index);
    if (step === 'repeated-reads') return dropRepeatedReads(this.#list, isExempt, this.#bench);
    if (step === 'clamp') return clampResults(this.#list, { limitTokens: clampTokens, isExempt }, this.#bench);
    const surveyed = { list: this.#list, outline: this.#layout.outline, spans: this.#layout.spans };
    return pruneResults(surveyed, { ...prune, isExempt }, this.#bench);
  }

  #newestTurn(): number {
    const { spans } = this.#layout;
    return (spans.findLast(({ kind }) => kind === 'user') ?? spans.at(-1))?.from ?? 0;
  }

  async #summarise(): Promise<CompactedList> {
    const { ladder, model, breaker } = this.#choices;
    const asks = model !== undefined && ladder.includes('summary') && breaker.failures < MAX_FAILURES;
    const step = asks ? 'summary' : 'rule-summary';
    if (model !== undefined && ladder.includes('summary') && !asks) {
      const note = `the model failed ${String(breaker.failures)} times in a row and was not asked`;
      this.#steps.push({ step: 'summary', outcome: 'refused', note, calls: 0 });
    }
    if (!ladder.includes(step)) {
      const note = 'there is no model to ask, and no summary by rules on the ladder';
      if (model === undefined && ladder.includes('summary'))
        this.#steps.push({ step: 'summary', outcome: 'refused', note });
      return this.#result(undefined, breaker);
    }
    const choice = this.#choose();
    if (choice === undefined) {
      const note = 'there is nothing that a summary could stand for';
      if (this.#isOver()) this.#steps.push({ step, outcome: 'refused', note });
      return this.#result(undefined, breaker);
    }
    try {
      return this.#accept(await this.#write(choice, asks ? model : undefined), step);
    } catch (error) {
      if (!(error instanceof SummaryError)) throw error;
      return this.#refuse(error, step);
    }
  }

  /**
   * Where even the newest turn is too much, its longest results are clamped before it is divided, and ever harder while
   * it is too much all the same.
   */
  #choose(): CutChoice | undefined {
    let choice = this.#chooseCut();
    if (choice?.inside === false && choice.spareTokens >= this.#least.summary) return choice;
    if (!this.#choices.ladder.includes('clamp')) return choice;
    let clamped = 0;
    for (
      let limit = Math.max(LEAST_CLAMP, this.#choices.clampTokens);
      limit >= LEAST_CLAMP;
      limit = Math.floor(limit / 2)
    ) {
      const shortened = this.#clampFrom(choice?.cut ?? 0, limit);
      clamped += shortened;
      if (shortened > 0) choice = this.#chooseCut();
      if (choice === undefined ? !this.#isOver() : choice.spareTokens >= this.#least.summary) break;
    }
    if (clamped > 0) {
      const note = `${String(clamped)} times a message of the newest turn was shortened`;
      this.#steps.push({ step: 'clamp', outcome: 'done', note });
    }
    return choice;
  }

  #chooseCut(): CutChoice | undefined {
    const choice = this.#chooseKnownCut();
    const { known } = this.#layout;
    if (known === 0 || (choice !== undefined && choice.cut > known)) return choice;
    // Before the first cut that is known there may be better ones.
    this.#layout = layoutOf(this.#source, this.#bench);
    this.#stretches = protectedStretches(this.#layout, this.#choices.pins);
    return this.#chooseKnownCut();
  }

  #chooseKnownCut(): CutChoice | undefined {
    const { budgetTokens, keep, summaryTokens } = this.#choices;
    const { summary, joint } = this.#least;
    return chooseCut({
      list: this.#list,
      layout: this.#layout,
      scales: this.#bench.scales,
      stretches: this.#stretches,
      budgetTokens,
      summaryTokens: summary + summaryTokens,
      leastTokens: summary,
      jointTokens: joint,
      keep,
    });
  }

  /** Clamps results from a place on, and says in how many messages there were any. */
  #clampFrom(from: number, limitTokens: number): number {
    const pinned = new Set(this.#choices.pins);
    const first = Math.min(from, this.#newestTurn());
    const isExempt = (index: number): boolean => index < first || pinned.has(index);
    const clamped = clampResults(this.#list, { limitTokens, isExempt }, this.#bench);
    this.#list = clamped.list;
    this.#gone = this.#gone.concat(clamped.gone);
    return clamped.gone.length;
  }

  #write(choice: CutChoice, model: SummaryModel | undefined): Promise<Summarised> {
    const { summaryTokens, inputTokens, at } = this.#choices;
    return writeSummary({
      source: this.#source,
      list: this.#list,
      layout: this.#layout,
      choice,
      bench: this.#bench,
      summaryTokens,
      inputTokens,
      at,
      model,
    });
  }

  #accept(written: Summarised, step: 'summary' | 'rule-summary'): CompactedList {
    this.#shortened = this.#list;
    this.#list = written.list;
    this.#steps.push({ step, outcome: 'done', note: written.note, calls: written.calls });
    const gone = this.#gone.filter(({ from }) => !written.gone.some((range) => range.from <= from && from < range.to));
    this.#gone = [...gone, ...written.gone];
    return this.#result(written.summary, step === 'summary' ? { failures: 0 } : this.#choices.breaker);
  }

  /** A summary that would not make the list shorter is left; one that a model could not give changes nothing at all. */
  #refuse(error: SummaryError, step: 'summary' | 'rule-summary'): CompactedList {
    const { code, message, calls } = error;
    const { breaker } = this.#choices;
    if (step === 'rule-summary' || code === 'nothing-to-summarise') {
      this.#steps.push({ step, outcome: 'refused', note: message, calls });
      return this.#result(undefined, breaker);
    }
    this.#list = this.#source;
    this.#gone = [];
    const undone = this.#steps.map((each): StepReport =>
      each.outcome === 'done' ? { ...each, outcome: 'undone' } : each,
    );
    const steps: StepReport[] = [...undone, { step, outcome: 'failed', note: `${code}: ${message}`, calls }];
    const failed = { failures: breaker.failures + 1 };
    return { list: this.#source, steps, gone: [], summary: undefined, breaker: failed, isFar: this.#isFar };
  }

  #result(summary: SummaryMessage | undefined, breaker: Breaker): CompactedList {
    if (summary === undefined) this.#shortened = this.#list;
    this.#unseal();
    return { list: this.#list, steps: this.#allSteps(), gone: this.#gone, summary, breaker, isFar: this.#isFar };
  }

  /** Where reasoning is bound to everything before it, none is left behind the first change. */
  #unseal(): void {
    if (!this.#bench.profile.reasoningBound || this.#list === this.#source) return;
    const first = this.#list.findIndex((wire, index) => wire !== this.#source[index]);
    const unsealed = unsealFrom(this.#list, first, this.#bench.codec);
    // Both lists have their messages in the same order, so one walk finds where each of them came from.
    let place = 0;
    for (const { from, ...rest } of unsealed.gone) {
      while (place < this.#shortened.length && this.#shortened[place] !== this.#list[from]) place += 1;
      this.#gone.push({ ...rest, from: place, to: place + 1 });
    }
    this.#list = unsealed.list;
  }

  #allSteps(): readonly StepReport[] {
    const told = new Set(this.#steps.map(({ step }) => step));
    const summarised = told.has('summary') || told.has('rule-summary');
    const rest = this.#choices.ladder.filter((step) => !told.has(step) && !(summarised && isSummary(step)));
    return [...this.#steps, ...rest.map(notNeeded)];
  }
}

function farWish({ budgetTokens, clampTokens }: CompactChoices): FarWish {
  const budget = budgetTokens * CHARACTERS_PER_TOKEN;
  return { characters: budget * FAR, ofEnd: budget * NEAR, mostOfResult: clampTokens * CHARACTERS_PER_TOKEN };
}

function notNeeded(step: Rung): StepReport {
  return { step, outcome: 'not-needed', note: 'the list was short enough' };
}

function isSummary(step: Rung): boolean {
  return step === 'summary' || step === 'rule-summary';
}

/** What is left of a result that is clamped as hard as can be. */
const LEAST_CLAMP = 16;
