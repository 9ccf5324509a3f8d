import { trimMessages, type BaseMessage } from '@langchain/core/messages';
import type { BenchDialect } from './dialects.ts';
import { loadEngine, type Engine } from './engine.ts';
import { generateHistory, type ResultSize } from './histories.ts';
import { collectGarbage, interleave, sampleOf, type Candidate, type Rounds, type Sample } from './measure.ts';
import { toLangChain } from './peer-shapes.ts';
import type { BenchMessage, OpenAiMessage } from './wire-shapes.ts';

export type CompactJob = {
  dialect: BenchDialect;
  results: ResultSize;
  messages: number;
  seed: number;
  rounds: Rounds;
  /** Whether to time the peer too, which takes time with the square of the length. */
  peer: boolean;
};

export type CompactTimings = {
  dialect: BenchDialect;
  messages: number;
  entries: number;
  bytes: number;
  parse: Sample;
  compact: Sample;
  cuts: Sample;
  trimMessages?: Sample;
  /** What the compacted history weighs, and how many of its characters were given to the counter. */
  tokens: number;
  countedShare: number;
};

const budgetTokens = 128_000;
const charactersPerToken = 4;

/** Times a compaction and the planning of one beside JSON.parse of the same bytes, on objects that are settled. */
export async function measureCompact(job: CompactJob): Promise<CompactTimings> {
  const engine = await loadEngine();
  const { dialect, results, messages, seed } = job;
  const generated = generateHistory({ dialect, results, messages, seed, broken: 0 });
  const text = `[${generated.messages.map((message) => JSON.stringify(message)).join(',')}]`;
  const list = JSON.parse(text) as BenchMessage[];
  collectGarbage('full');
  const samples = await interleave(candidatesFor(engine, job, { text, list }), job.rounds);
  const { tokens, countedShare } = await weigh(engine, list, dialect);
  return {
    dialect,
    messages,
    entries: generated.entries,
    bytes: Buffer.byteLength(text),
    parse: sampleOf(samples, 'parse'),
    compact: sampleOf(samples, 'compact'),
    cuts: sampleOf(samples, 'cuts'),
    ...(job.peer ? { trimMessages: sampleOf(samples, 'trimMessages') } : {}),
    tokens,
    countedShare,
  };
}

type History = { text: string; list: BenchMessage[] };

function candidatesFor({ compact, cuts }: Engine, job: CompactJob, { text, list }: History): Candidate<undefined>[] {
  const { dialect } = job;
  const input = (): undefined => collectGarbage('minor') as undefined;
  const chain = job.peer ? toLangChain(list as OpenAiMessage[]) : [];
  const trim = { maxTokens: budgetTokens, strategy: 'last', tokenCounter: approximateTokens } as const;
  return [
    { name: 'parse', input, run: () => JSON.parse(text) },
    { name: 'compact', input, run: () => compact(list, { budgetTokens, target: dialect }) },
    { name: 'cuts', input, run: () => cuts(list, dialect) },
    ...(job.peer ? [{ name: 'trimMessages', input, run: () => trimMessages(chain, trim) }] : []),
  ];
}

async function weigh(
  { compact, estimateTokens }: Engine,
  list: BenchMessage[],
  dialect: BenchDialect,
): Promise<{ tokens: number; countedShare: number }> {
  let counted = 0;
  const count = (text: string): number => {
    counted += text.length;
    return estimateTokens(text);
  };
  const { history: output } = await compact(list, { budgetTokens, target: dialect, count });
  const characters = list.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  return { tokens: estimateTokens(output, dialect), countedShare: counted / characters };
}

/** The counter is the caller's to bring. This is the cheapest there is, in the peer's favour. */
function approximateTokens(messages: readonly BaseMessage[]): number {
  let characters = 0;
  for (const { content } of messages) characters += typeof content === 'string' ? content.length : 0;
  return Math.ceil(characters / charactersPerToken);
}
