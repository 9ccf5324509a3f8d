/** Calls of a step with the same id, by their entries; those before `next` are answered. */
type Same = { readonly list: number[]; next: number };

export type CallsById = Map<string, Same>;

/** More calls than this are looked up: a search per result over thousands of parallel calls would be quadratic. */
export const FEW = 16;

/** Adds the newest call of a step, or all of them where none was added before. */
export function addById(known: CallsById | undefined, ids: readonly (string | undefined)[], newest: number): CallsById {
  const byId: CallsById = known ?? new Map<string, Same>();
  for (let entry = known === undefined ? 0 : newest; entry <= newest; entry += 1) {
    const id = ids[entry];
    if (id === undefined) continue;
    const same = byId.get(id);
    if (same === undefined) byId.set(id, { list: [entry], next: 0 });
    else same.list.push(entry);
  }
  return byId;
}
