/** Runs work for one key after all earlier work for that key has settled. */
export async function inTurn<T>(turns: Map<string, Promise<unknown>>, key: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
  turns.set(key, turn);
  try {
    return await turn;
  } finally {
    if (turns.get(key) === turn) turns.delete(key);
  }
}
