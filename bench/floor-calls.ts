/** Calls of the turn by id, and whether each was answered: the plain way to pair, as most people would write it. */
export type Calls = Map<string, boolean>;

export function openCall(calls: Calls, id: string): number {
  const faults = calls.has(id) ? 1 : 0;
  calls.set(id, false);
  return faults;
}

/** Marks one call answered; an unknown id and a second answer are a fault each. */
export function answer(calls: Calls, id: string): number {
  if (calls.get(id) !== false) return 1;
  calls.set(id, true);
  return 0;
}

/** Ends a turn; every call without an answer is a fault. */
export function endTurn(calls: Calls): number {
  let faults = 0;
  for (const answered of calls.values()) if (!answered) faults += 1;
  calls.clear();
  return faults;
}
