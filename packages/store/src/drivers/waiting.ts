/**
 * Keeps the process alive during work. The environment's timers do not, and a program must not end while an append
 * waits for the database.
 */
export async function keepAlive<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => undefined, 2 ** 30);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}

/** Lets everything else in the process run. */
export const turnOfLoop = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
