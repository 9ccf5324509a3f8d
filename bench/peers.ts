import { mergeMessageRuns, trimMessages, type BaseMessage } from '@langchain/core/messages';
import { convertToModelMessages, type UIMessage } from 'ai';
import { loadEngine } from './engine.ts';
import { countFaults } from './faults.ts';
import { minimalRepair } from './floor.ts';
import { generateHistory } from './histories.ts';
import { collectGarbage, interleave, sampleOf, type Candidate, type Rounds, type Sample } from './measure.ts';
import { fromLangChain, fromModelMessages, toLangChain, toUiMessages } from './peer-shapes.ts';
import type { OpenAiMessage } from './wire-shapes.ts';

/** Sizes stay small because one of the peers takes time with the square of the length. */
export type PeersJob = { seed: number; small: number; large: number; rounds: Rounds };

export type PeerRow = {
  name: string;
  time: Sample;
  timesJsonParse: number;
  /** The exponent of time over length from the small to the large history. */
  growth: number;
  faultsLeft: number | undefined;
};
export type PeerTimings = { messages: number; faults: number; rows: PeerRow[] };

type Timed = Candidate<undefined> & { faultsLeft?: () => Promise<number> };

const dialect = 'openai-chat';
const budgetTokens = 128_000;
const charactersPerToken = 4;
const yardstick = 'JSON.parse';
const warmUpRounds: Rounds = { most: 20, budgetMs: 2_000 };

/** Times what people use today on the same history; conversions to and from a peer's own shapes are not timed. */
export async function measurePeers(job: PeersJob): Promise<PeerTimings> {
  const small = await candidatesFor(job, job.small);
  const large = await candidatesFor(job, job.large);
  await interleave(small.candidates, warmUpRounds);
  const smallTimes = await interleave(small.candidates, job.rounds);
  const largeTimes = await interleave(large.candidates, job.rounds);
  const parse = sampleOf(largeTimes, yardstick);
  const lengths = Math.log(large.messages.length / small.messages.length);
  const rows = large.candidates.map(async ({ name, faultsLeft }): Promise<PeerRow> => {
    const time = sampleOf(largeTimes, name);
    const growth = Math.log(time.min / sampleOf(smallTimes, name).min) / lengths;
    return { name, time, timesJsonParse: time.min / parse.min, growth, faultsLeft: await faultsLeft?.() };
  });
  const faults = countFaults(large.messages, dialect);
  return { messages: large.messages.length, faults, rows: await Promise.all(rows) };
}

async function candidatesFor(
  job: PeersJob,
  length: number,
): Promise<{ messages: OpenAiMessage[]; candidates: Timed[] }> {
  const { repair, check } = await loadEngine();
  const generated = generateHistory({ dialect, results: 'heavy', messages: length, seed: job.seed, broken: 0.1 });
  const text = JSON.stringify(generated.messages);
  const messages = JSON.parse(text) as OpenAiMessage[];
  const ui = toUiMessages(messages);
  const chain = toLangChain(messages);
  const left = (output: readonly unknown[]): number => countFaults(output, dialect);
  const candidates: Timed[] = [
    timed(yardstick, () => JSON.parse(text)),
    timed(
      'bench minimalRepair (floor)',
      () => minimalRepair(messages, dialect),
      (output) => left(output),
    ),
    timed('@rethread/core check', () => check(messages, dialect)),
    timed(
      '@rethread/core repair',
      () => repair(messages, dialect),
      ({ output }) => left(output),
    ),
    timed(
      'ai convertToModelMessages',
      () => convert(ui),
      async (output) => left(fromModelMessages(await output)),
    ),
    timed(
      '@langchain/core mergeMessageRuns',
      () => mergeMessageRuns(chain),
      (output) => left(fromLangChain(output)),
    ),
    timed(
      '@langchain/core trimMessages',
      () => trim(chain),
      async (output) => left(fromLangChain(await output)),
    ),
  ];
  return { messages, candidates };
}

function timed<T>(name: string, run: () => T, faults?: (output: T) => number | Promise<number>): Timed {
  const input = (): undefined => collectGarbage('minor') as undefined;
  const candidate: Timed = { name, input, run };
  if (faults !== undefined) candidate.faultsLeft = async () => faults(run());
  return candidate;
}

async function convert(messages: UIMessage[]): ReturnType<typeof convertToModelMessages> {
  return convertToModelMessages(messages, { ignoreIncompleteToolCalls: true });
}

async function trim(messages: BaseMessage[]): Promise<BaseMessage[]> {
  return trimMessages(messages, { maxTokens: budgetTokens, strategy: 'last', tokenCounter: approximateTokens });
}

/** The counter is the caller's to bring. This is the cheapest there is, in the peer's favour. */
function approximateTokens(messages: readonly BaseMessage[]): number {
  let characters = 0;
  for (const { content } of messages) characters += typeof content === 'string' ? content.length : 0;
  return Math.ceil(characters / charactersPerToken);
}
