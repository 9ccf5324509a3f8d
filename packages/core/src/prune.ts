import { dropBoundReasoning } from './compaction/drop-bound-reasoning.ts';
import { outline } from './compaction/outline.ts';
import { pinnedPlaces, type Pin } from './compaction/choose-cut.ts';
import { pruneChoices, pruneResults, type PruneWish } from './compaction/prune-results.ts';
import { stepContext, type Gone } from './compaction/step.ts';
import { turnSpans } from './compaction/cuts.ts';
import type { TokenCounter } from './compaction/tokens.ts';
import { openInput, type OpenInput } from './open-input.ts';
import { ask } from './model/read-safely.ts';
import type { TargetInput } from './target.ts';

export type PruneOptions = PruneWish & {
  /** Token budget for the whole list: at most half of it is protected. */
  readonly budgetTokens?: number;
  /** Messages whose results are kept. */
  readonly pins?: readonly Pin[];
  /** Counts the tokens of a text (default: an estimate). */
  readonly count?: TokenCounter;
  /** Where the history goes (default: detected). */
  readonly target?: TargetInput;
};

/** A list without its bulky old results, and what that saved. */
export type PrunedHistory<T> = {
  readonly output: T;
  readonly changed: boolean;
  readonly freedTokens: number;
  /** How many results were emptied. */
  readonly results: number;
  /** Everything that was changed. */
  readonly gone: readonly Gone[];
};

/**
 * Empties old results of tools: a short text says what was there and how big it was. Calls, pairs, flags, the newest
 * messages and the newest turns stay. Models that bind their reasoning to what is before it lose it from there on.
 *
 * @example
 * const { output, freedTokens } = pruneOldToolOutputs(messages, { protectTurns: 3 });
 */
export function pruneOldToolOutputs<T>(input: T, options?: PruneOptions): PrunedHistory<T> {
  const held = ask((given: T) => openInput(given, options?.target), input);
  if (held === undefined) return { output: input, changed: false, freedTokens: 0, results: 0, gone: [] };
  return pruneHeld(held, options ?? {});
}

function pruneHeld<T>(held: OpenInput<T>, options: PruneOptions): PrunedHistory<T> {
  const { list, codec, profile } = held;
  const noted = outline(list, held);
  const surveyed = { list, outline: noted, spans: turnSpans(noted) };
  const pinned = pinnedPlaces(held.items, options.pins ?? []);
  const choices = pruneChoices(options, options.budgetTokens ?? Number.POSITIVE_INFINITY);
  const isExempt = (index: number): boolean => pinned.has(index);
  const pruned = pruneResults(surveyed, { ...choices, isExempt }, stepContext(held, options.count));
  const { freedTokens, results } = pruned;
  const first = pruned.gone[0]?.from ?? list.length;
  const dropped = profile.reasoningBound
    ? dropBoundReasoning(pruned.list, first, codec)
    : { list: pruned.list, gone: [] };
  return {
    output: held.withList(dropped.list),
    changed: dropped.list !== list,
    freedTokens,
    results,
    gone: [...pruned.gone, ...dropped.gone],
  };
}
