import { outline } from './compaction/outline.ts';
import { ruleSummary } from './compaction/rule-summary.ts';
import { CODECS } from './dialects/dialects.ts';
import { isDialect, type Dialect } from './model/dialect.ts';
import { stagedSummary, type SummaryModel } from './compaction/staged-summary.ts';
import { stepContext } from './compaction/step.ts';
import { SummaryError } from './compaction/summary-check.ts';
import {
  isTalk,
  readSummary,
  stamped,
  summaryIn,
  toMessage,
  withoutSummary,
  type SummaryMessage,
} from './compaction/summary-message.ts';
import { fitSections, readSections } from './compaction/summary-sections.ts';
import type { TokenCounter } from './compaction/tokens.ts';
import { openInput, isHostile } from './open-input.ts';
import type { Codec } from './model/codec.ts';
import type { Message } from './model/part.ts';
import { ask, readSafely } from './model/read-safely.ts';
import { isRecord } from './model/value.ts';
import type { TargetInput } from './target.ts';

export type GenerateSummaryOptions = {
  /** Writes the summary (default: rules make it, without a model). */
  readonly model?: SummaryModel;
  /** The summary so far, which is merged (default: the newest one in the history). */
  readonly previous?: string | SummaryMessage;
  /** The time that is recorded in the summary. */
  readonly at?: string;
  /** Token budget for the summary (default: 4 000). */
  readonly maxTokens?: number;
  /** How many tokens of the history one request to the model may quote (default: 100 000). */
  readonly inputTokens?: number;
  /** Counts the tokens of a text (default: an estimate). */
  readonly count?: TokenCounter;
  /** Where the history goes (default: detected). */
  readonly target?: TargetInput;
};

/**
 * Summarises a whole history. Throws a `SummaryError` where there is no summary; the history is never changed.
 *
 * @example
 * const { content } = await generateSummary(messages, { maxTokens: 1_000 });
 */
export async function generateSummary(input: unknown, options?: GenerateSummaryOptions): Promise<SummaryMessage> {
  try {
    return await summarise(input, options ?? {});
  } catch (error) {
    if (error instanceof SummaryError || !isHostile(input)) throw error;
    throw unreadable();
  }
}

function unreadable(): SummaryError {
  return new SummaryError('nothing-to-summarise', 'this holds no messages that can be read here', { calls: 0 });
}

async function summarise(input: unknown, options: GenerateSummaryOptions): Promise<SummaryMessage> {
  const held = ask((given: unknown) => openInput(given, options.target), input);
  if (held === undefined) throw unreadable();
  const { list, codec } = held;
  const { count } = stepContext(held, options.count);
  const newest = outline(list, held).summaries.at(-1) ?? -1;
  const messages = Array.from(list, (wire, index) => readSafely(codec, wire, index))
    .filter(({ role }, index) => role !== 'system' && index >= newest)
    .map(withoutSummary);
  const previous = previousOf(options.previous) ?? (newest < 0 ? undefined : inMessage(codec, list[newest])?.content);
  const { model, maxTokens = 4_000, inputTokens = 100_000 } = options;
  const content =
    model === undefined
      ? byRules(messages, { previous, count, maxTokens })
      : await byModel({ messages, previous, model, count, maxTokens, inputTokens });
  return {
    content,
    ...stamped(options.at),
    sourceRange: { from: 0, to: list.length },
  };
}

type Told = { readonly previous: string | undefined; readonly count: TokenCounter; readonly maxTokens: number };

function byRules(messages: readonly Message[], told: Told): string {
  if (messages.some(isTalk)) return ruleSummary({ messages, ...told });
  throw new SummaryError('nothing-to-summarise', 'there is nothing to read in these messages', { calls: 0 });
}

async function byModel(source: Parameters<typeof stagedSummary>[0]): Promise<string> {
  const { count, maxTokens } = source;
  const { content } = await stagedSummary(source);
  return count(content) <= maxTokens ? content : fitSections(readSections(content), { count, maxTokens });
}

function previousOf(previous: string | SummaryMessage | undefined): string | undefined {
  return typeof previous === 'string' ? (readSummary(previous)?.content ?? previous) : previous?.content;
}

/** A summary as a message of a dialect, to be put in front of what is kept. */
export function writeSummaryMessage(summary: SummaryMessage, dialect: Dialect): unknown {
  return CODECS[dialect].write(toMessage(summary));
}

/** True for a message that is a summary, in any dialect. */
export function isSummaryMessage(message: unknown, dialect?: Dialect): boolean {
  return readSummaryMessage(message, dialect) !== undefined;
}

/** What a message that is a summary says, when it was made, and what it stands for; undefined for any other. */
export function readSummaryMessage(message: unknown, dialect?: Dialect): SummaryMessage | undefined {
  if (ask(isGenerated, message) === true) return message as SummaryMessage;
  if (ask(isDecoded, message) === true) return summaryIn(message as Message);
  // One message alone may not show its dialect; a summary is one whichever way it is read. A list that hands each of
  // its messages to a function hands over its place as well, and that is no dialect.
  for (const codec of isDialect(dialect) ? [CODECS[dialect]] : Object.values(CODECS)) {
    const summary = inMessage(codec, message);
    if (summary !== undefined) return summary;
  }
  return undefined;
}

function inMessage(codec: Codec, wire: unknown): SummaryMessage | undefined {
  return summaryIn(readSafely(codec, wire, 0));
}

/** A summary as `generateSummary` gives it. */
function isGenerated(message: unknown): boolean {
  if (!isRecord(message) || typeof message['content'] !== 'string') return false;
  const range = message['sourceRange'];
  return isRecord(range) && typeof range['from'] === 'number' && typeof range['to'] === 'number';
}

/** A message out of a `History`. */
function isDecoded(message: unknown): boolean {
  if (!isRecord(message) || !Array.isArray(message['parts']) || typeof message['at'] !== 'number') return false;
  return (message['parts'] as unknown[]).every((part) => isRecord(part) && typeof part['kind'] === 'string');
}
