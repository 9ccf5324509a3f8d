import { pairKey, type ResultPart } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { isPlaceholder } from '../model/synthetic.ts';
import type { Outline } from './outline.ts';
import { isPrunedText, prunedText } from './pruned-text.ts';
import { retellResults, type Retold } from './retell-results.ts';
import type { Gone, Shortened, StepContext } from './step.ts';
import { turnsOfUser, type TurnSpan } from './turns.ts';

/** What pruning leaves alone, and when it is worth the trouble. */
export type PruneChoices = {
  /** The newest messages with so many tokens stay as they are. */
  readonly protectTokens: number;
  /** The newest turns of a person that stay as they are. */
  readonly protectTurns: number;
  /** Results go in batches that free at least so much, so that the beginning of the list seldom changes. */
  readonly minFreedTokens: number;
  /** Tools whose results stay. */
  readonly exemptTools: ReadonlySet<string>;
  /** Messages that stay as they are. */
  readonly isExempt: (index: number) => boolean;
};

/** A list whose old results are empty. */
export type Pruned = Shortened & {
  readonly freedTokens: number;
  /** How many results were emptied. */
  readonly results: number;
};

/** A list, and what is known about it. */
export type Surveyed = {
  readonly list: readonly unknown[];
  readonly outline: Outline;
  readonly spans: readonly TurnSpan[];
};

/**
 * Empties old results; calls, pairs and flags stay. What is pruned depends on what stands before it alone, and goes in
 * whole batches, so what was pruned once is pruned again with the same bytes when the list has grown.
 */
export function pruneResults(surveyed: Surveyed, choices: PruneChoices, context: StepContext): Pruned {
  const next = [...surveyed.list];
  const gone: Gone[] = [];
  const pruned = { freedTokens: 0, results: 0 };
  let batch: Emptied[] = [];
  let freed = 0;
  for (const emptied of emptiedMessages(surveyed, choices, context)) {
    batch.push(emptied);
    freed += emptied.freedTokens;
    if (freed < choices.minFreedTokens) continue;
    for (const { index, wire, freedTokens, results } of batch) {
      next[index] = wire;
      pruned.freedTokens += freedTokens;
      pruned.results += results;
      gone.push({ from: index, to: index + 1, what: 'pruned', note: 'the output of an old call was left out' });
    }
    batch = [];
    freed = 0;
  }
  return { list: gone.length === 0 ? surveyed.list : next, gone, ...pruned };
}

type Emptied = Retold & { readonly index: number };

/** The messages that would be shorter with empty results. */
function* emptiedMessages(surveyed: Surveyed, choices: PruneChoices, context: StepContext): Generator<Emptied> {
  const { list, outline } = surveyed;
  const limit = protectedFrom(surveyed, choices, context);
  if (!isWorthwhile(surveyed, { limit, least: choices.minFreedTokens }, context)) return;
  const tools = new Map<string, string>();
  for (let index = 0; index < limit; index += 1) {
    const carries = outline.answers[index] === true;
    if (!carries && outline.calls[index] !== true) continue;
    const message = readSafely(context.codec, list[index], index);
    // Results do not always name their tool, but their calls do.
    for (const part of message.parts) if (part.kind === 'call') tools.set(pairKey(part), part.tool);
    if (!carries || choices.isExempt(index)) continue;
    const empty = (part: ResultPart): ResultPart | undefined => {
      const tool = tools.get(pairKey(part)) ?? part.tool ?? '';
      return choices.exemptTools.has(tool) ? undefined : emptyResult(part, tool, context);
    };
    const retold = retellResults(message, empty, { list, context });
    if (retold !== undefined) yield { index, ...retold };
  }
}

/** The first message that is protected, by its age in turns or in tokens. */
function protectedFrom({ list, spans }: Surveyed, choices: PruneChoices, { tokens }: StepContext): number {
  const { protectTokens, protectTurns } = choices;
  const byTurns = protectTurns <= 0 ? list.length : (turnsOfUser(spans).at(-Math.ceil(protectTurns))?.from ?? 0);
  let byTokens = list.length;
  for (let sum = 0; byTokens > 0 && sum < protectTokens; byTokens -= 1) sum += tokens.of(list[byTokens - 1]);
  return Math.min(byTurns, byTokens);
}

/** Whether all that carries results has enough tokens; most lists do not, and then nothing needs to be read. */
function isWorthwhile(
  { list, outline }: Surveyed,
  { limit, least }: { readonly limit: number; readonly least: number },
  { tokens }: StepContext,
): boolean {
  let sum = 0;
  for (let i = 0; i < limit; i += 1) {
    if (outline.answers[i] === true) sum += tokens.of(list[i]);
    if (sum > 0 && sum >= least) return true;
  }
  return false;
}

/**
 * Undefined where the result stays: it is empty already, or shorter than what would stand there. What stands for a
 * result that may still come has to be known again.
 */
function emptyResult(part: ResultPart, tool: string, { codec }: StepContext): ResultPart | undefined {
  if (isPrunedText(part.text) || isPlaceholder(part.text)) return undefined;
  const text = prunedText(part, tool);
  return part.characters <= text.length ? undefined : codec.retell(part, text);
}
