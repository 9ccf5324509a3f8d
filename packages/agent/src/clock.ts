/** The time source of the runtime. Every wait ends by an answer, an abort or one of these timers. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
};

/** A longer Node timer would fire at once, so a long wait uses several. */
const LONGEST_MS = 2 ** 31 - 1;

/** The system clock. Its timers keep the process alive, because a waiting run is not over. */
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
