/** All that the runtime knows of time. Every wait of a run ends by an answer, by an abort or by one of these timers. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls back once; gives the way to call it off. */
  after(ms: number, callback: () => void): () => void;
};

/** The time of this machine. Timers keep the process alive, because a run that waits to try again is not over. */
export const realClock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
