import { collectGarbage, discardLastOutput, type Candidate } from './measure.ts';

export type Work<T> = (history: T[]) => unknown;

type Fresh<T> = { candidates: Candidate<T[]>[]; parseTimes: number[] };

export function parseList<T>(text: string): T[] {
  return JSON.parse(text) as T[];
}

/** Every sample works on a list of its own that was parsed a moment before; those parses are the yardstick. */
export function freshCandidates<T>(text: string, work: Record<string, Work<T>>): Fresh<T> {
  const parseTimes: number[] = [];
  const input = (): T[] => {
    discardLastOutput();
    collectGarbage('full');
    const start = performance.now();
    const history = parseList<T>(text);
    parseTimes.push(performance.now() - start);
    return history;
  };
  return { candidates: Object.entries(work).map(([name, run]) => ({ name, input, run })), parseTimes };
}

/** Every sample works on the same list, whose objects were walked and collected before. */
export function settledCandidates<T>(history: T[], work: Record<string, Work<T>>): Candidate<T[]>[] {
  for (const run of Object.values(work)) run(history);
  collectGarbage('full');
  collectGarbage('full');
  const input = (): T[] => {
    discardLastOutput();
    collectGarbage('minor');
    return history;
  };
  return Object.entries(work).map(([name, run]) => ({ name, input, run }));
}
