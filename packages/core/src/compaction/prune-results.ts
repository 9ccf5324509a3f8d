import { pairKey, type ResultPart, type CallPart, type Message } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { isPlaceholder } from '../model/synthetic.ts';
import { readableJson } from '../model/value.ts';
import { filesOf } from './call-files.ts';
import { turnsOfUser, type TurnSpan } from './cuts.ts';
import { clip } from './history-text.ts';
import { mediaIn, type Medium } from './media-in.ts';
import type { Outline } from './outline.ts';
import { retellResults, type Gone, type Retold, type Shortened, type StepContext } from './step.ts';

const OPENING = '[pruned: the output of ';
const LONGEST = 1000;
const MOST_MEDIA = 5;
const LONGEST_NAME = 80;

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

/** What a caller may choose. */
export type PruneWish = {
  /** How many tokens of the newest messages are protected (default: 40 000, or half the budget if that is less). */
  readonly protectTokens?: number;
  /** How many of the newest turns of a person are protected (default: 2). */
  readonly protectTurns?: number;
  /** Results are pruned in batches that free at least so many tokens (default: 20 000). */
  readonly minFreedTokens?: number;
  /** Tools whose results are kept. */
  readonly exemptTools?: Iterable<string>;
};

const PROTECT_TOKENS = 40_000;
const PROTECT_TURNS = 2;
const MIN_FREED_TOKENS = 20_000;

export function pruneChoices(wish: PruneWish, budgetTokens: number): Omit<PruneChoices, 'isExempt'> {
  return {
    protectTokens: wish.protectTokens ?? Math.min(PROTECT_TOKENS, budgetTokens / 2),
    protectTurns: wish.protectTurns ?? PROTECT_TURNS,
    minFreedTokens: wish.minFreedTokens ?? MIN_FREED_TOKENS,
    exemptTools: new Set(wish.exemptTools),
  };
}

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
    const message = readSafely(context.codec, list[index], index);
    // Results do not always name their tool, but their calls do.
    for (const part of message.parts) if (part.kind === 'call') tools.set(pairKey(part), part.tool);
    if (outline.answers[index] !== true || choices.isExempt(index)) continue;
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

/**
 * What stands in place of an old result: what was there, and how big it was. Made from the result alone, so that it
 * has the same bytes whenever it is made.
 */
function prunedText(part: ResultPart, tool: string): string {
  const media = mediaIn(part.wire);
  const carried = media.reduce((sum, { characters }) => sum + characters, 0);
  const characters = Math.max(0, (media.length === 0 ? part.text.length : part.characters) - carried);
  const name = tool === '' ? 'a tool' : clean(tool, LONGEST_NAME);
  const said = media.length === 0 ? `, ${count(linesOf(part.text), 'line')}` : '';
  const shown = media.length === 0 ? '' : ` and ${mediaText(media)}`;
  return `${OPENING}${name} was here, ${count(characters, 'character')}${said}${shown}]`;
}

function mediaText(media: readonly Medium[]): string {
  const named = media.slice(0, MOST_MEDIA).map(({ what, bytes }) => {
    const size = bytes === 0 ? '' : ` of ${String(Math.max(1, Math.round(bytes / 1024)))} kB`;
    return `${clean(what, LONGEST_NAME)}${size}`;
  });
  const more = media.length - named.length;
  return [...named, ...(more > 0 ? [`${String(more)} more`] : [])].join(', ');
}

/** True for a result that was pruned before; some tools give their text inside of something else. */
function isPrunedText(text: string): boolean {
  return text.length <= LONGEST && text.includes(OPENING);
}

function linesOf(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function clean(name: string, most: number): string {
  return name
    .slice(0, most)
    .replaceAll(/[\s\]]+/g, ' ')
    .toWellFormed();
}

/** Which results are too long, and which of them may not be touched. */
export type ClampOptions = {
  readonly limitTokens: number;
  /** Messages that stay as they are. */
  readonly isExempt: (index: number) => boolean;
};

/** Shortens single results that are longer than a limit; their beginning and their end stay. */
export function clampResults(
  list: readonly unknown[],
  { limitTokens, isExempt }: ClampOptions,
  context: StepContext,
): Shortened {
  const gone: Gone[] = [];
  const next = [...list];
  for (let i = 0; i < list.length; i += 1) {
    // A message that has no more tokens than the limit has no result that does.
    if (isExempt(i) || context.tokens.of(list[i]) <= limitTokens) continue;
    const message = readSafely(context.codec, list[i], i);
    const clamped = retellResults(message, (part) => clampResult(part, limitTokens, context), { list, context });
    if (clamped === undefined) continue;
    next[i] = clamped.wire;
    gone.push({ from: i, to: i + 1, what: 'clamped', note: 'the middle of a long result was left out' });
  }
  return { list: gone.length === 0 ? list : next, gone };
}

function clampResult(part: ResultPart, limit: number, { codec, count }: StepContext): ResultPart | undefined {
  const { text } = part;
  const tokens = count(text);
  if (!(tokens > limit) || isPlaceholder(text)) return undefined;
  // What one character costs differs by text, so the length is found by trying; each try is shorter than the last.
  let most = Math.floor((text.length * limit) / tokens);
  for (let tries = 0; tries < 4 && count(clip(text, most)) > limit; tries += 1) most = Math.floor(most * 0.75);
  return codec.retell(part, clip(text, most));
}

/** Stands for what was read again later. */
export const READ_AGAIN = '[left out: the same was read again later, and that result stands further on]';

/** Empties the results of reads that were made again later with the same arguments; the newest one stays. */
export function dropRepeatedReads(
  list: readonly unknown[],
  isExempt: (index: number) => boolean,
  context: StepContext,
): Shortened {
  const { codec, count } = context;
  const messages = Array.from(list, (wire, index) => readSafely(codec, wire, index));
  const repeated = repeatedReads(messages).filter(({ part }) => count(part.text) > count(READ_AGAIN));
  const parts = new Set(repeated.map(({ part }) => part));
  const retell = (part: ResultPart): ResultPart | undefined =>
    parts.has(part) ? codec.retell(part, READ_AGAIN) : undefined;
  const gone: Gone[] = [];
  const next = [...list];
  for (const message of new Set(repeated.map((read) => read.message))) {
    const { at } = message;
    const emptied = isExempt(at) ? undefined : retellResults(message, retell, { list, context });
    if (emptied === undefined) continue;
    next[at] = emptied.wire;
    gone.push({ from: at, to: at + 1, what: 'repeated', note: 'the same was read again later' });
  }
  return { list: gone.length === 0 ? list : next, gone };
}

type Read = { readonly message: Message; readonly part: ResultPart };

/** All reads but the newest of each. A change of a file in between does not matter: what is newer is right. */
function repeatedReads(messages: readonly Message[]): readonly Read[] {
  const waiting = new Map<string, string | undefined>();
  const reads = new Map<string, Read[]>();
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.kind === 'call') waiting.set(pairKey(part), readOf(part));
      if (part.kind !== 'result' || part.server || part.outcome !== 'ok') continue;
      const read = waiting.get(pairKey(part));
      if (read === undefined) continue;
      waiting.delete(pairKey(part));
      const found = reads.get(read) ?? [];
      found.push({ message, part });
      reads.set(read, found);
    }
  }
  return [...reads.values()].flatMap((found) => found.slice(0, -1));
}

/** What a call reads; undefined for one that may do something else. */
function readOf(call: CallPart): string | undefined {
  const { names, changed } = filesOf(call);
  return call.server || changed || names.length === 0 ? undefined : `${call.tool}\n${readableJson(call.input)}`;
}
