import type { BenchDialect } from './dialects.ts';
import { loadEngine } from './engine.ts';
import { generateHistory } from './histories.ts';
import type { BenchMessage } from './wire-shapes.ts';

export type VisitsJob = { dialect: BenchDialect; messages: number; seed: number };
export type VisitCount = { perMessage: number; passes: number };
export type Visits = { dialect: BenchDialect; messages: number; check: VisitCount; repair: VisitCount };

/** Counts how often check and repair come to a message: a fact that no busy machine can blur. */
export async function countVisits(job: VisitsJob): Promise<Visits> {
  const { check, repair } = await loadEngine();
  const counted = (work: (history: BenchMessage[]) => number): VisitCount => {
    const { messages } = generateHistory({ ...job, results: 'light', broken: 0.1 });
    const watch = watchVisits(messages);
    const passes = work(watch.messages);
    return { perMessage: watch.visits() / messages.length, passes };
  };
  return {
    dialect: job.dialect,
    messages: job.messages,
    check: counted((history) => check(history, job.dialect).passes),
    repair: counted((history) => repair(history, job.dialect).report.passes),
  };
}

/** One visit is a run of reads of one message with no read of another in between. */
function watchVisits(messages: readonly BenchMessage[]): { messages: BenchMessage[]; visits: () => number } {
  let visits = 0;
  let last = -1;
  const watched = messages.map((message, index) => {
    const twin = {};
    for (const [key, value] of Object.entries(message)) {
      const get = (): unknown => {
        if (last !== index) visits += 1;
        last = index;
        return value;
      };
      Object.defineProperty(twin, key, { get, enumerable: true, configurable: true });
    }
    return twin as BenchMessage;
  });
  return { messages: watched, visits: () => visits };
}
