/** All that the runtime knows of time. Every wait of a run ends by an answer, by an abort or by one of these timers. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once; gives the way to call it off. */
  after(ms: number, callback: () => void): () => void;
};

/** A timer of Node that is set for longer ends at once, so a longer wait is made of several. */
const LONGEST_MS = 2 ** 31 - 1;

/** The time of this machine. Timers keep the process alive, because a run that waits to try again is not over. */
export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (left: number): void => {
      const next = left > LONGEST_MS ? (): void => wait(left - LONGEST_MS) : callback;
      timer = setTimeout(next, Math.min(left, LONGEST_MS));
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};
