const idle = 0;
const swapping = 1;
const stopped = 2;

/** Keeps Ctrl-C out of the instant in which two files change places; both threads hold one. */
export class Gate {
  readonly #state: Int32Array;

  constructor(state: Int32Array) {
    this.#state = state;
  }

  /** Runs the few system calls of a swap, or gives up when a stop was asked for first. */
  swap<T>(action: () => T): T {
    if (Atomics.compareExchange(this.#state, 0, idle, swapping) === stopped) throw new Error('stopped');
    try {
      return action();
    } finally {
      Atomics.store(this.#state, 0, idle);
    }
  }

  /** From the moment this gives true no swap begins any more. */
  stop(): boolean {
    return Atomics.compareExchange(this.#state, 0, idle, stopped) !== swapping;
  }

  get isStopped(): boolean {
    return Atomics.load(this.#state, 0) === stopped;
  }
}

/** The state two threads share. */
export const createGateState = (): Int32Array => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
