import { pairKey, type Message, type ResultPart } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { isPlaceholder } from '../model/synthetic.ts';
import type { Bench, Gone, Shortened } from './gone.ts';
import type { Outline } from './outline.ts';
import { isPrunedText, prunedText } from './pruned-text.ts';
import type { TurnSpan } from './turns.ts';

/** What pruning leaves alone, and when it is worth the trouble. */
export type PruneChoices = {
  /** The newest messages that weigh this much stay as they are. */
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
export function pruneResults(surveyed: Surveyed, choices: PruneChoices, bench: Bench): Pruned {
  const { list, outline } = surveyed;
  const limit = protectedFrom(surveyed, choices, bench);
  if (!isWorthwhile(list, { answers: outline.answers, limit, least: choices.minFreedTokens }, bench)) return none(list);
  const edits = new Map<number, Emptied>();
  let batch: Emptied[] = [];
  let freed = 0;
  for (const emptied of emptyResults(surveyed, { limit, choices, bench })) {
    batch.push(emptied);
    freed += emptied.freed;
    if (freed < choices.minFreedTokens) continue;
    for (const each of batch) edits.set(each.index, each);
    batch = [];
    freed = 0;
  }
  return edits.size === 0 ? none(list) : apply(list, edits);
}

function none(list: readonly unknown[]): Pruned {
  return { list, gone: [], freedTokens: 0, results: 0 };
}

function apply(list: readonly unknown[], edits: ReadonlyMap<number, Emptied>): Pruned {
  const next = list.map((wire, index) => edits.get(index)?.wire ?? wire);
  let freedTokens = 0;
  let results = 0;
  const gone: Gone[] = [];
  for (const { index, freed, count } of edits.values()) {
    freedTokens += freed;
    results += count;
    gone.push({ from: index, to: index + 1, what: 'pruned', note: 'the output of an old call was left out' });
  }
  return { list: next, gone, freedTokens, results };
}

/** The first message that is protected, by its age in turns or in tokens. */
function protectedFrom({ list, spans }: Surveyed, { protectTokens, protectTurns }: PruneChoices, bench: Bench): number {
  const spoken = spans.filter(({ kind }) => kind === 'user');
  const byTurns = protectTurns <= 0 ? list.length : (spoken.at(-Math.ceil(protectTurns))?.from ?? 0);
  let byTokens = list.length;
  for (let weight = 0; byTokens > 0 && weight < protectTokens; byTokens -= 1)
    weight += bench.scales.of(list[byTokens - 1]);
  return Math.min(byTurns, byTokens);
}

type Region = { readonly answers: readonly boolean[]; readonly limit: number; readonly least: number };

/** Whether all that carries results weighs enough; most lists do not, and then nothing needs to be read. */
function isWorthwhile(list: readonly unknown[], { answers, limit, least }: Region, bench: Bench): boolean {
  let weight = 0;
  for (let i = 0; i < limit; i += 1) {
    if (answers[i] === true) weight += bench.scales.of(list[i]);
    if (weight > 0 && weight >= least) return true;
  }
  return false;
}

/** A message with empty results. */
type Emptied = { readonly index: number; readonly wire: unknown; readonly freed: number; readonly count: number };

type Work = { readonly limit: number; readonly choices: PruneChoices; readonly bench: Bench };

function* emptyResults({ list, outline }: Surveyed, { limit, choices, bench }: Work): Generator<Emptied> {
  const { codec, scales } = bench;
  const tools = new Map<string, string>();
  for (let index = 0; index < limit; index += 1) {
    const carries = outline.answers[index] === true;
    if (!carries && outline.calls[index] !== true) continue;
    const message = readSafely(codec, list[index], index);
    noteTools(message, tools);
    if (!carries || choices.isExempt(index)) continue;
    const emptied = emptyMessage(message, { tools, choices, bench });
    if (emptied === undefined) continue;
    const wire = codec.write(emptied.message, list);
    const freed = scales.of(list[index]) - scales.of(wire);
    if (freed > 0) yield { index, wire, freed, count: emptied.count };
  }
}

/** Results do not always name their tool, but their calls do. */
function noteTools({ parts }: Message, tools: Map<string, string>): void {
  for (const part of parts) if (part.kind === 'call') tools.set(pairKey(part), part.tool);
}

type Named = { readonly tools: ReadonlyMap<string, string>; readonly choices: PruneChoices; readonly bench: Bench };

function emptyMessage(message: Message, named: Named): { message: Message; count: number } | undefined {
  let count = 0;
  const parts = message.parts.map((part) => {
    const emptied = part.kind === 'result' ? emptyResult(part, named) : undefined;
    if (emptied !== undefined) count += 1;
    return emptied ?? part;
  });
  return count === 0 ? undefined : { message: { ...message, parts }, count };
}

/**
 * Undefined where the result stays: it is exempt, empty already, shorter than what would stand there, or sealed. What
 * stands for a result that may still come has to be known again.
 */
function emptyResult(part: ResultPart, { tools, choices, bench }: Named): ResultPart | undefined {
  if (part.server || isPrunedText(part.text) || isPlaceholder(part.text)) return undefined;
  const tool = tools.get(pairKey(part)) ?? part.tool ?? '';
  if (choices.exemptTools.has(tool)) return undefined;
  const text = prunedText(part, tool);
  return part.characters <= text.length ? undefined : bench.codec.retell(part, text);
}
