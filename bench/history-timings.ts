import type { BenchDialect } from './dialects.ts';
import { loadEngine, type Engine } from './engine.ts';
import { countFaults } from './faults.ts';
import { minimalRepair, pairingCheck } from './floor.ts';
import { generateHistory, type GeneratedHistory } from './histories.ts';
import { freshCandidates, parseList, settledCandidates, type Work } from './history-candidates.ts';
import { interleave, sampleOf, summarize, type Rounds, type Sample } from './measure.ts';
import type { BenchMessage } from './wire-shapes.ts';

export type HistoryJob = { dialect: BenchDialect; messages: number; seed: number; rounds: Rounds };

export type StateTimings = { check: Sample; pairingCheck: Sample; repair: Sample; minimalRepair: Sample };

export type HistoryTimings = {
  dialect: BenchDialect;
  messages: number;
  entries: number;
  bytes: number;
  planted: GeneratedHistory['planted'];
  parse: Sample;
  /** On objects that JSON.parse has just made. */
  firstTouch: StateTimings;
  /** On objects that were walked and collected before. */
  settled: StateTimings;
  faults: { before: number; afterRepair: number; afterMinimalRepair: number };
  clean: { parse: Sample; firstTouch: Sample; settled: Sample; sameArray: boolean };
};

type HistoryWork = Work<BenchMessage>;
const brokenTurns = 0.1;
const warmUpMessages = 1_000;
const warmUpCalls = 60;

/** Times check and repair beside their floors and JSON.parse, on a broken and on a clean history of one size. */
export async function measureHistory(job: HistoryJob): Promise<HistoryTimings> {
  const engine = await loadEngine();
  const work = workFor(engine, job.dialect);
  const { text, entries, planted } = historyText(job, brokenTurns);
  const living = warmUp(work, job);

  const fresh = freshCandidates(text, work);
  const firstTouch = stateTimings(await interleave(fresh.candidates, job.rounds));
  const settled = stateTimings(await interleave(settledCandidates(parseList<BenchMessage>(text), work), job.rounds));
  const faults = faultsOf(parseList<BenchMessage>(text), engine, job.dialect);
  const bytes = Buffer.byteLength(text);
  const clean = await measureClean(engine, job);
  keepAlive(living);
  const parsed = summarize(fresh.parseTimes);
  const { dialect, messages } = job;
  return { dialect, messages, entries, bytes, planted, parse: parsed, firstTouch, settled, faults, clean };
}

function workFor({ check, repair }: Engine, dialect: BenchDialect): Record<keyof StateTimings, HistoryWork> {
  return {
    check: (history) => check(history, dialect),
    pairingCheck: (history) => pairingCheck(history, dialect),
    repair: (history) => repair(history, dialect),
    // What a repair does that can be trusted: see what is wrong, change it, and look again, each as cheaply as can be.
    minimalRepair: (history) => {
      pairingCheck(history, dialect);
      return pairingCheck(minimalRepair(history, dialect), dialect);
    },
  };
}

function historyText(job: HistoryJob, broken: number): { text: string } & Omit<GeneratedHistory, 'messages'> {
  const { messages, ...rest } = generateHistory({ ...job, results: 'heavy', broken });
  // One JSON.stringify of the whole list takes five times as long at this size.
  return { text: `[${messages.map((message) => JSON.stringify(message)).join(',')}]`, ...rest };
}

/**
 * Compiles the code on a small history and returns it. It must stay alive: when the last object of a shape is
 * collected, V8 forgets the shape, and the next sample would measure that instead of the work.
 */
function warmUp(work: Record<string, HistoryWork>, job: HistoryJob): BenchMessage[] {
  const history = parseList<BenchMessage>(historyText({ ...job, messages: warmUpMessages }, brokenTurns).text);
  for (let call = 0; call < warmUpCalls; call += 1) {
    for (const run of Object.values(work)) run(history);
  }
  return history;
}

function keepAlive(history: readonly BenchMessage[]): void {
  if (history.length === 0) throw new Error('the warm-up history is not empty');
}

function stateTimings(samples: ReadonlyMap<string, Sample>): StateTimings {
  return {
    check: sampleOf(samples, 'check'),
    pairingCheck: sampleOf(samples, 'pairingCheck'),
    repair: sampleOf(samples, 'repair'),
    minimalRepair: sampleOf(samples, 'minimalRepair'),
  };
}

function faultsOf(history: BenchMessage[], { repair }: Engine, dialect: BenchDialect): HistoryTimings['faults'] {
  return {
    before: countFaults(history, dialect),
    afterRepair: countFaults(repair(history, dialect).output, dialect),
    afterMinimalRepair: countFaults(minimalRepair(history, dialect), dialect),
  };
}

async function measureClean(engine: Engine, job: HistoryJob): Promise<HistoryTimings['clean']> {
  const { text } = historyText(job, 0);
  const work = { repair: workFor(engine, job.dialect).repair };
  const fresh = freshCandidates(text, work);
  const firstTouch = sampleOf(await interleave(fresh.candidates, job.rounds), 'repair');
  const history = parseList<BenchMessage>(text);
  const settled = sampleOf(await interleave(settledCandidates(history, work), job.rounds), 'repair');
  const sameArray = engine.repair(history, job.dialect).output === history;
  return { parse: summarize(fresh.parseTimes), firstTouch, settled, sameArray };
}
