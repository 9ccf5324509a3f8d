/** Ctrl-C: once stops what is under way, twice ends the program. */
export interface Interrupts {
  /** Somebody pressed it, or sent the signal. */
  press(): void;
  /** Has the next press stop this; gives the way to say that it is over. */
  during(stop: () => void): () => void;
  /** The user went on, so that one press is no longer half of two. */
  forget(): void;
}

export interface InterruptOptions {
  /** Told of a first press while nothing is under way. */
  readonly warn: () => void;
  readonly quit: () => void;
}

export function createInterrupts({ warn, quit }: InterruptOptions): Interrupts {
  let pressed = false;
  let stop: (() => void) | undefined;
  return {
    press: () => {
      if (pressed) return quit();
      pressed = true;
      (stop ?? warn)();
    },
    during: (next) => {
      pressed = false;
      stop = next;
      return () => {
        stop = undefined;
      };
    },
    forget: () => {
      pressed = false;
    },
  };
}

/** Makes the signal a press; from here on nothing else answers it. */
export function listenForInterrupts(interrupts: Interrupts): void {
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', () => interrupts.press());
}
