/** The index that a list holds at a position; -1 where it holds none. */
export function indexAt(list: readonly number[], position: number): number {
  return list[position] ?? -1;
}
