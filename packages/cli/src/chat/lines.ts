import { createInterface } from 'node:readline';

/** Lines that somebody types, or that come through a pipe; undefined once there are no more. */
export interface Lines {
  next(prompt: string): Promise<string | undefined>;
}

/**
 * At a terminal each line has an interface of its own: while a turn is under way the terminal is as it was, so that
 * Ctrl-C is a signal and what is typed meanwhile waits for the next prompt.
 */
export function typedLines(onInterrupt: () => void): Lines {
  const waiting: string[] = [];
  let history: string[] = [];
  return {
    next: (prompt) =>
      new Promise((done) => {
        const early = waiting.shift();
        if (early !== undefined) return done(early);
        const face = createInterface({ input: process.stdin, output: process.stderr, history, prompt });
        const lines: string[] = [];
        face.on('SIGINT', () => {
          onInterrupt();
          face.prompt();
        });
        face.on('history', (all) => {
          history = all;
        });
        face.on('line', (line) => {
          lines.push(line);
          face.close();
        });
        face.once('close', () => {
          const [first, ...rest] = lines;
          waiting.push(...rest);
          done(first);
        });
        face.prompt();
      }),
  };
}

/** Each line of a pipe, read as it is needed. */
export function pipedLines(): Lines {
  const lines = createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]();
  return {
    next: async () => {
      const { done, value } = await lines.next();
      return done === true ? undefined : value;
    },
  };
}
