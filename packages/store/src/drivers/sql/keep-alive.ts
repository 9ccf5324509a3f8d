/**
 * Keeps the process alive while something is under way: the timers of the environment do not, and a program that waits
 * for an append must not end because the database is away for a moment.
 */
export async function keepAlive<T>(work: Promise<T>): Promise<T> {
  const hold = setInterval(() => undefined, 2 ** 30);
  try {
    return await work;
  } finally {
    clearInterval(hold);
  }
}
