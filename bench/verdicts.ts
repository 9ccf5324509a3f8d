import { targets, type Measurements, type TargetId, type Unit } from './targets.ts';

export type Verdict = 'pass' | 'miss' | 'shown';
export type Row = {
  id: TargetId;
  what: string;
  on: string;
  value: number;
  unit: Unit;
  bar?: number;
  /** A bar is the most that is allowed, unless this says that it is the least. */
  sense?: 'at least';
  verdict: Verdict;
};

/** Holds every reading against its bar. */
export function judgeAll(measured: Measurements): Row[] {
  return targets.flatMap(({ id, what, unit, bar: common, read }) =>
    read(measured).map(({ on, value, bar = common }): Row => {
      const row = { id, what, on, value, unit };
      if (bar === undefined) return { ...row, verdict: 'shown' };
      // A value that is not a number is a measurement that failed, and a failed measurement proves nothing.
      return { ...row, bar, verdict: value <= bar ? 'pass' : 'miss' };
    }),
  );
}
