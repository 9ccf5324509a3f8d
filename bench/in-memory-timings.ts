import type { InMemoryDialect } from './dialects.ts';
import { loadEngine, type Engine } from './engine.ts';
import { generateInMemory } from './histories.ts';
import { freshCandidates, parseList, settledCandidates, type Work } from './history-candidates.ts';
import { interleave, sampleOf, summarize, type Rounds, type Sample } from './measure.ts';

export type InMemoryJob = { dialect: InMemoryDialect; messages: number; seed: number; rounds: Rounds };

/** The work of reading and writing: alone, and one after the other on the same list. */
export type CodecTimings = { decode: Sample; encode: Sample; both: Sample };

export type InMemoryTimings = {
  dialect: InMemoryDialect;
  messages: number;
  bytes: number;
  parse: Sample;
  firstTouch: CodecTimings;
  settled: CodecTimings;
};

const warmUpMessages = 1_000;
const warmUpCalls = 60;

/** Times decode and encode of a clean history in a framework's own shapes, beside JSON.parse of the same bytes. */
export async function measureInMemory(job: InMemoryJob): Promise<InMemoryTimings> {
  const work = workFor(await loadEngine(), job.dialect);
  const text = historyText(job);
  const living = parseList(historyText({ ...job, messages: warmUpMessages }));
  for (let call = 0; call < warmUpCalls; call += 1) for (const run of Object.values(work)) run(living);
  const fresh = freshCandidates(text, work);
  const firstTouch = codecTimings(await interleave(fresh.candidates, job.rounds));
  const settled = codecTimings(await interleave(settledCandidates(parseList(text), work), job.rounds));
  // The shapes of the warm-up must live until here: V8 forgets a shape when its last object is collected.
  if (living.length === 0) throw new Error('the warm-up history is not empty');
  const { dialect, messages } = job;
  const bytes = Buffer.byteLength(text);
  return { dialect, messages, bytes, parse: summarize(fresh.parseTimes), firstTouch, settled };
}

function historyText(job: InMemoryJob): string {
  return `[${generateInMemory(job)
    .map((message) => JSON.stringify(message))
    .join(',')}]`;
}

function workFor(engine: Engine, dialect: InMemoryDialect): Record<keyof CodecTimings, Work<unknown>> {
  const decode = (history: unknown[]): unknown => {
    const decoded = engine.decode(history, dialect);
    if (decoded?.messages.length !== history.length) throw new Error('the history was not read');
    return decoded;
  };
  // Only what was verified can be encoded, so the proof is a part of the price.
  const encode = (history: unknown[]): unknown => {
    const verified = engine.verify(history, dialect);
    if (!verified.ok) throw new Error('a clean history was found broken');
    return engine.encode(verified.sendable);
  };
  return { decode, encode, both: (history) => [decode(history), encode(history)] };
}

function codecTimings(samples: ReadonlyMap<string, Sample>): CodecTimings {
  return { decode: sampleOf(samples, 'decode'), encode: sampleOf(samples, 'encode'), both: sampleOf(samples, 'both') };
}
