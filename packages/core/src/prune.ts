import { dropBoundReasoning } from './compaction/drop-bound-reasoning.ts';
import { outline } from './compaction/outline.ts';
import { pinnedPlaces, type Pin } from './compaction/choose-cut.ts';
import { pruneResults, type PruneChoices } from './compaction/prune-results.ts';
import { stepContext, type Gone } from './compaction/step.ts';
import { turnSpans } from './compaction/cuts.ts';
import type { TokenCounter } from './compaction/tokens.ts';
import { hold, type Held } from './held.ts';
import { ask } from './model/read-safely.ts';
import type { TargetInput } from './target.ts';

const PROTECT_TOKENS = 40_000;
const PROTECT_TURNS = 2;
const MIN_FREED_TOKENS = 20_000;

export type PruneOptions = {
  /** What the whole list may weigh; half of it is protected at most. */
  readonly budgetTokens?: number;
  /** The newest messages that weigh this much are protected: 40 000, or half the budget where that is less. */
  readonly protectTokens?: number;
  /** The newest turns of a person are protected: 2. */
  readonly protectTurns?: number;
  /** Results go in batches that free at least so much: 20 000. */
  readonly minFreedTokens?: number;
  /** Messages whose results stay. */
  readonly pins?: readonly Pin[];
  /** Tools whose results stay. */
  readonly exemptTools?: Iterable<string>;
  readonly count?: TokenCounter;
  readonly target?: TargetInput;
};

/** A list whose bulky old results are gone, and what that saved. */
export type PrunedHistory<T> = {
  readonly output: T;
  readonly changed: boolean;
  readonly freedTokens: number;
  /** How many results were emptied. */
  readonly results: number;
  /** Everything that is not in the output as it was. */
  readonly gone: readonly Gone[];
};

/**
 * Empties old results of tools: a short text says what was there and how big it was. Calls, pairs, flags, the newest
 * messages and the newest turns stay. Models that bind their reasoning to what is before it lose it from there on.
 */
export function pruneOldToolOutputs<T>(input: T, chosen?: PruneOptions): PrunedHistory<T> {
  const options = chosen ?? {};
  const held = ask((given: T) => hold(given, options.target), input);
  if (held === undefined) return { output: input, changed: false, freedTokens: 0, results: 0, gone: [] };
  return pruneHeld(held, options);
}

function pruneHeld<T>(held: Held<T>, options: PruneOptions): PrunedHistory<T> {
  const { list, codec, profile } = held;
  const noted = outline(list, held);
  const surveyed = { list, outline: noted, spans: turnSpans(noted) };
  const pruned = pruneResults(surveyed, choicesOf(options, held.items), stepContext(held, options.count));
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

function choicesOf(options: PruneOptions, items: readonly unknown[]): PruneChoices {
  const { budgetTokens = Number.POSITIVE_INFINITY, pins = [], exemptTools = [] } = options;
  const pinned = pinnedPlaces(items, pins);
  return {
    protectTokens: options.protectTokens ?? Math.min(PROTECT_TOKENS, budgetTokens / 2),
    protectTurns: options.protectTurns ?? PROTECT_TURNS,
    minFreedTokens: options.minFreedTokens ?? MIN_FREED_TOKENS,
    exemptTools: new Set(exemptTools),
    isExempt: (index) => pinned.has(index),
  };
}
