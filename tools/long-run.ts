import { readdirSync, readFileSync } from 'node:fs';

/** Where progress is told. */
type Screen = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown };

/** A line that takes the place of the one before may be written often; one that stays may not. */
const OFTEN_MS = 2_000;
const RARELY_MS = 60_000;

const WIDTH = 80;

/** The exit code of a program that Ctrl-C has ended. */
export const interrupted = 130;

/** Tells how far a long run has come, until it is disposed of: at a terminal in one line, elsewhere once a minute. */
export function showProgress(tell: () => string, screen: Screen = process.stderr): Disposable {
  const began = performance.now();
  const rewrites = screen.isTTY === true;
  const show = (): void => {
    const line = `${tell()} (${((performance.now() - began) / 1_000).toFixed(0)} s)`;
    // A line that wraps could not be taken back. Some terminals do not know how wide they are, and say 0.
    const width = Math.max(screen.columns ?? 0, 0) || WIDTH;
    screen.write(rewrites ? `\r\u001B[K${line.slice(0, width - 1)}` : `${line}\n`);
  };
  const timer = setInterval(show, rewrites ? OFTEN_MS : RARELY_MS);
  if (rewrites) show();
  const end = (): void => {
    clearInterval(timer);
    if (rewrites) screen.write('\r\u001B[K');
  };
  return { [Symbol.dispose]: end };
}

/** Has Ctrl-C stop a long run in its own way; pressed again, it ends the process as it is. */
export function onInterrupt(stop: () => void): void {
  process.once('SIGINT', () => {
    process.once('SIGINT', () => process.exit(interrupted));
    process.stderr.write('\nstopping …\n');
    stop();
  });
}

/** The processes that this one has started, where the system tells. */
function children(): readonly number[] {
  try {
    const lists = readdirSync('/proc/self/task').map((task) =>
      readFileSync(`/proc/self/task/${task}/children`, 'utf8'),
    );
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  } catch {
    return [];
  }
}

/** Whether a process has something left to do; one that has ended stays in the list until it is looked after. */
function isAtWork(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return false;
  }
}

const ENDED_MS = 5_000;

/** Ends everything that this process has started, also what is held at the moment, and waits until it has gone. */
export function endChildren(): void {
  const started = children();
  for (const pid of started) {
    for (const signal of ['SIGINT', 'SIGCONT'] as const) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended by itself.
      }
    }
  }
  // Nothing else may happen meanwhile: whoever waits for one of them would take its end for a failure.
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (const began = performance.now(); started.some(isAtWork) && performance.now() - began < ENDED_MS;) {
    Atomics.wait(cell, 0, 0, 20);
  }
}
