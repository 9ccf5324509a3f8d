import { readSafely } from '../model/read-safely.ts';
import type { Rung } from './checkpoint.ts';
import {
  chooseCut,
  keptFrom,
  layoutOf,
  newestTurn,
  protectedRanges,
  type CutChoice,
  type Keep,
  type Layout,
  type Range,
} from './choose-cut.ts';
import { clampResults, pruneResults, dropRepeatedReads, type PruneChoices } from './prune-results.ts';
import { dropBoundReasoning } from './drop-bound-reasoning.ts';
import type { Gone, Shortened, StepContext } from './step.ts';
import { SummaryError } from './summary-check.ts';
import type { SummaryMessage } from './summary-message.ts';
import type { SummaryModel } from './staged-summary.ts';
import { turnsOfUser } from './cuts.ts';
import { leastTokens, writeSummary, type Summarised, type SummaryLimits } from './write-summary.ts';

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

export type CompactChoices = SummaryLimits & {
  readonly budgetTokens: number;
  readonly keep: Keep;
  /** Places of messages that stay as they are. */
  readonly pins: readonly number[];
  readonly ladder: readonly Rung[];
  readonly prune: Omit<PruneChoices, 'isExempt'>;
  /** Results that are longer than this are clamped. */
  readonly clampTokens: number;
  readonly model: SummaryModel | undefined;
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

/** What is kept of such a history stands within its last budgets; where it does not, everything is read. */
const NEAR = 3;

/** What a token is taken for where nothing is counted yet. */
const CHARACTERS_PER_TOKEN = 4;

/** What is left of a result that is clamped as hard as can be. */
const LEAST_CLAMP = 16;

/** Makes a list shorter, step by step, until it is within its budget; each step only if it is still needed. */
export async function compactList(
  source: readonly unknown[],
  choices: CompactChoices,
  context: StepContext,
): Promise<CompactedList> {
  const { budgetTokens, ladder, breaker } = choices;
  if (context.tokens.upTo(source, budgetTokens) > budgetTokens) return new Compaction(source, choices, context).run();
  const steps = ladder.map(notNeeded);
  return { list: source, steps, gone: [], summary: undefined, breaker, isFar: false };
}

class Compaction {
  readonly #source: readonly unknown[];
  readonly #choices: CompactChoices;
  readonly #context: StepContext;
  readonly #isFar: boolean;
  #layout: Layout;
  #ranges: readonly Range[];
  readonly #pinned: ReadonlySet<number>;
  readonly #steps: StepReport[] = [];
  #list: readonly unknown[];
  #gone: readonly Gone[] = [];

  constructor(source: readonly unknown[], choices: CompactChoices, context: StepContext) {
    this.#source = source;
    this.#list = source;
    this.#choices = choices;
    this.#context = context;
    const near = nearEndOf(source, choices, context);
    this.#isFar = near !== undefined;
    this.#layout = layoutNear(source, near ?? 0, { ...choices, context }) ?? layoutOf(source, context);
    this.#ranges = protectedRanges(this.#layout, choices.pins);
    this.#pinned = new Set(choices.pins);
  }

  async run(): Promise<CompactedList> {
    for (const step of ['clamp', 'repeated-reads', 'prune'] as const) {
      if (this.#choices.ladder.includes(step) && this.#isOver()) this.#shorten(step);
    }
    return this.#isOver() ? this.#summarise() : this.#result();
  }

  #isOver(): boolean {
    const { budgetTokens } = this.#choices;
    return this.#context.tokens.upTo(this.#list, budgetTokens) > budgetTokens;
  }

  #report(step: Rung, outcome: StepReport['outcome'], told: Pick<StepReport, 'note' | 'calls'>): void {
    this.#steps.push({ step, outcome, ...told });
  }

  #shorten(step: 'clamp' | 'repeated-reads' | 'prune'): void {
    const refused = this.#isFar ? `the list is more than ${String(FAR)} times too long for it` : undefined;
    const { list, gone } = refused === undefined ? this.#apply(step) : { list: this.#list, gone: [] };
    if (gone.length === 0) {
      return this.#report(step, 'refused', { note: refused ?? 'there was nothing to make shorter' });
    }
    this.#list = list;
    this.#gone = [...this.#gone, ...gone];
    this.#report(step, 'done', {
      note: `${String(gone.length)} ${gone.length === 1 ? 'message' : 'messages'} shortened`,
    });
  }

  #apply(step: 'clamp' | 'repeated-reads' | 'prune'): Shortened {
    const { keep, prune, clampTokens } = this.#choices;
    const { outline, spans } = this.#layout;
    // The newest turn is what is being worked on: it is clamped only where nothing else helps. A read in it that was
    // made again there is outdated all the same, unless the caller has said how much is to stay as it is.
    const isAsked = keep.minTurns !== undefined || keep.minMessages !== undefined;
    const kept = step === 'clamp' || isAsked ? keptFrom(this.#layout, keep) : this.#list.length;
    const isExempt = (index: number): boolean => index >= kept || this.#pinned.has(index);
    if (step === 'repeated-reads') return dropRepeatedReads(this.#list, isExempt, this.#context);
    if (step === 'clamp') return clampResults(this.#list, { limitTokens: clampTokens, isExempt }, this.#context);
    return pruneResults({ list: this.#list, outline, spans }, { ...prune, isExempt }, this.#context);
  }

  async #summarise(): Promise<CompactedList> {
    const { ladder, model, breaker } = this.#choices;
    const wanted = ladder.includes('summary');
    const asks = model !== undefined && wanted && breaker.failures < MAX_FAILURES;
    const step = asks ? 'summary' : 'rule-summary';
    if (model !== undefined && wanted && !asks) {
      const note = `the model failed ${String(breaker.failures)} times in a row and was not asked`;
      this.#report('summary', 'refused', { note, calls: 0 });
    }
    if (!ladder.includes(step)) {
      const note = 'there is no model to ask, and no summary by rules on the ladder';
      if (model === undefined && wanted) this.#report('summary', 'refused', { note });
      return this.#result();
    }
    const choice = this.#chooseCut();
    if (choice === undefined) {
      if (this.#isOver()) this.#report(step, 'refused', { note: 'there is nothing that a summary could stand for' });
      return this.#result();
    }
    try {
      const written = await writeSummary({
        source: this.#source,
        list: this.#list,
        layout: this.#layout,
        choice,
        context: this.#context,
        limits: this.#choices,
        model: asks ? model : undefined,
      });
      return this.#accept(written, step);
    } catch (error) {
      if (!(error instanceof SummaryError)) throw error;
      return this.#refuse(error, step);
    }
  }

  /**
   * Where even the newest turn is too much, its longest results are clamped before it is divided, and ever harder while
   * it is too much all the same.
   */
  #chooseCut(): CutChoice | undefined {
    const { budgetTokens, keep, summaryTokens, ladder, clampTokens, at } = this.#choices;
    const least = leastTokens({ source: this.#source, layout: this.#layout, context: this.#context, at });
    const choose = (): CutChoice | undefined =>
      chooseCut({
        list: this.#list,
        layout: this.#layout,
        tokens: this.#context.tokens,
        ranges: this.#ranges,
        budgetTokens,
        summaryTokens: least.summary + summaryTokens,
        leastTokens: least.summary,
        fillerTokens: least.filler,
        keep,
      });
    let choice = choose();
    if (this.#layout.known > 0 && !(choice !== undefined && choice.cut > this.#layout.known)) {
      // Before the first cut that is known there may be better ones.
      this.#layout = layoutOf(this.#source, this.#context);
      this.#ranges = protectedRanges(this.#layout, this.#choices.pins);
      choice = choose();
    }
    if (choice?.inside === false && choice.spareTokens >= least.summary) return choice;
    if (!ladder.includes('clamp')) return choice;
    let clamped = 0;
    for (let limit = Math.max(LEAST_CLAMP, clampTokens); limit >= LEAST_CLAMP; limit = Math.floor(limit / 2)) {
      const shortened = this.#clampFrom(choice?.cut ?? 0, limit);
      clamped += shortened;
      if (shortened > 0) choice = choose();
      if (choice === undefined ? !this.#isOver() : choice.spareTokens >= least.summary) break;
    }
    if (clamped > 0) {
      this.#report('clamp', 'done', { note: `${String(clamped)} times a message of the newest turn was shortened` });
    }
    return choice;
  }

  /** Clamps results from a place on, and says in how many messages there were any. */
  #clampFrom(from: number, limitTokens: number): number {
    const first = Math.min(from, newestTurn(this.#layout));
    const isExempt = (index: number): boolean => index < first || this.#pinned.has(index);
    const { list, gone } = clampResults(this.#list, { limitTokens, isExempt }, this.#context);
    this.#list = list;
    this.#gone = [...this.#gone, ...gone];
    return gone.length;
  }

  #accept({ list, gone, summary, note, calls }: Summarised, step: 'summary' | 'rule-summary'): CompactedList {
    this.#report(step, 'done', { note, calls });
    const before = this.#list;
    this.#list = list;
    const kept = this.#gone.filter(({ from }) => !gone.some((range) => range.from <= from && from < range.to));
    this.#gone = [...kept, ...gone];
    return this.#result({ before, summary, breaker: step === 'summary' ? { failures: 0 } : this.#choices.breaker });
  }

  /** A summary that would not make the list shorter is left; one that a model could not give changes nothing at all. */
  #refuse({ code, message, calls }: SummaryError, step: 'summary' | 'rule-summary'): CompactedList {
    if (step === 'rule-summary' || code === 'nothing-to-summarise') {
      this.#report(step, 'refused', { note: message, calls });
      return this.#result();
    }
    const undone = this.#steps.map((each): StepReport =>
      each.outcome === 'done' ? { ...each, outcome: 'undone' } : each,
    );
    const steps: StepReport[] = [...undone, { step, outcome: 'failed', note: `${code}: ${message}`, calls }];
    const failed = { failures: this.#choices.breaker.failures + 1 };
    return { list: this.#source, steps, gone: [], summary: undefined, breaker: failed, isFar: this.#isFar };
  }

  /** The list as it is now; with a summary, `before` is the list without it, its messages in their first places. */
  #result(made?: Pick<CompactedList, 'summary' | 'breaker'> & { before: readonly unknown[] }): CompactedList {
    const { before = this.#list, summary, breaker = this.#choices.breaker } = made ?? {};
    this.#dropBoundReasoning(before);
    return { list: this.#list, steps: this.#allSteps(), gone: this.#gone, summary, breaker, isFar: this.#isFar };
  }

  /** Where reasoning is bound to everything before it, none is left behind the first change. */
  #dropBoundReasoning(before: readonly unknown[]): void {
    if (!this.#context.profile.reasoningBound || this.#list === this.#source) return;
    const first = this.#list.findIndex((wire, index) => wire !== this.#source[index]);
    const { list, gone } = dropBoundReasoning(this.#list, first, this.#context.codec);
    // Both lists have their messages in the same order, so one walk finds where each of them came from.
    let place = 0;
    const placed = gone.map(({ from, ...rest }): Gone => {
      while (place < before.length && before[place] !== this.#list[from]) place += 1;
      return { ...rest, from: place, to: place + 1 };
    });
    this.#gone = [...this.#gone, ...placed];
    this.#list = list;
  }

  #allSteps(): readonly StepReport[] {
    const told = new Set(this.#steps.map(({ step }) => step));
    const summarised = told.has('summary') || told.has('rule-summary');
    const rest = this.#choices.ladder.filter((step) => !told.has(step) && !(summarised && step.endsWith('summary')));
    return [...this.#steps, ...rest.map(notNeeded)];
  }
}

/**
 * Where the last `NEAR` budgets of a list begin that has more than `FAR` of them; undefined for any other. One very
 * long result is no reason: it can be clamped.
 */
function nearEndOf(
  source: readonly unknown[],
  { budgetTokens, clampTokens }: CompactChoices,
  { codec }: StepContext,
): number | undefined {
  const budget = budgetTokens * CHARACTERS_PER_TOKEN;
  let characters = 0;
  let near: number | undefined;
  for (let index = source.length - 1; index >= 0; index -= 1) {
    for (const part of readSafely(codec, source[index], index).parts) {
      // The bytes of media are not what they weigh, also where words stand beside them.
      if (part.kind === 'text') characters += part.text.length;
      else if (part.kind === 'result') characters += Math.min(part.characters, clampTokens * CHARACTERS_PER_TOKEN);
      else if (part.kind !== 'media') characters += part.characters;
    }
    if (characters > budget * NEAR) near ??= index;
    if (characters > budget * FAR) return near;
  }
  return undefined;
}

/** Reads the end of a list only; undefined where what is kept, or what belongs to it, may stand before. */
function layoutNear(
  source: readonly unknown[],
  from: number,
  { keep, pins, context }: Pick<CompactChoices, 'keep' | 'pins'> & { readonly context: StepContext },
): Layout | undefined {
  const { pairs, callSeals } = context.profile;
  if (from === 0 || pairs === 'anywhere' || callSeals === true) return undefined;
  const layout = layoutOf(source, context, from);
  const { minTurns = 1, minMessages = 0 } = keep;
  const turns = turnsOfUser(layout.spans).filter((span) => span.from >= layout.known).length;
  const kept = [source.length - minMessages, ...pins];
  return turns >= Math.max(1, minTurns) && kept.every((place) => place >= layout.known) ? layout : undefined;
}

function notNeeded(step: Rung): StepReport {
  return { step, outcome: 'not-needed', note: 'the list was short enough' };
}
