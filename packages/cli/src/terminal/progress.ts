import { bytesText, spanText } from './amounts.ts';
import { bar } from './bars.ts';
import type { Output } from './output.ts';

/** Shows how far some work is, on standard error, once it takes longer than a second. */
export interface Progress {
  /** Tells how much is done, in the unit of the total. */
  readonly at: (done: number) => void;
  readonly end: () => void;
}

export interface ProgressOptions {
  /** What is being done, such as `judging`. */
  readonly what: string;
  /** How much there is; undefined while nobody knows. */
  readonly total?: number;
  readonly unit: 'bytes' | 'sessions';
  /** The time in milliseconds; tests have one of their own. */
  readonly clock?: () => number;
}

const silentMs = 1000;
const everyMs = 100;
const barWidth = 16;

/** A bar with the rate and the time left. Where standard error is no terminal, `output` prints nothing of it. */
export function createProgress(output: Pick<Output, 'progress'>, options: ProgressOptions): Progress {
  const { what, total, unit, clock = Date.now } = options;
  const start = clock();
  let shown = start + silentMs - everyMs;
  let isShown = false;
  const amount = (count: number): string => (unit === 'bytes' ? bytesText(count) : count.toLocaleString('en-US'));
  const line = (done: number, spent: number): string => {
    const rate = `${amount(Math.round((done / spent) * 1000))}${unit === 'bytes' ? '' : ` ${unit}`}/s`;
    if (total === undefined || total === 0)
      return `${what}: ${amount(done)}${unit === 'bytes' ? '' : ` ${unit}`}, ${rate}`;
    const share = Math.min(1, done / total);
    const left = done === 0 ? '' : `, ${spanText(Math.ceil((spent / done) * (total - done)))} left`;
    return `${what} ${bar(share, 1, barWidth).padEnd(barWidth, '░')} ${Math.floor(share * 100)} %, ${rate}${left}`;
  };
  return {
    at(done) {
      const now = clock();
      if (now - shown < everyMs) return;
      shown = now;
      isShown = true;
      output.progress(line(done, now - start));
    },
    end() {
      if (isShown) output.progress('');
    },
  };
}
