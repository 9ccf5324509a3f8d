/** A record that names the one before it. */
export type Link = { readonly id: string; readonly parent: string | undefined };

/** The records from the first one to `last`, and the record whose parent is missing. */
export type ParentPath<T> = { readonly path: T[]; readonly lost: T | undefined };

/** Follows the parents from a record to the first one. A ring of parents ends where it began. */
export function followParents<T extends Link>(last: T | undefined, byId: ReadonlyMap<string, T>): ParentPath<T> {
  const path: T[] = [];
  const seen = new Set<T>();
  let lost: T | undefined;
  let at = last;
  while (at !== undefined && !seen.has(at)) {
    seen.add(at);
    path.push(at);
    const next: T | undefined = at.parent === undefined ? undefined : byId.get(at.parent);
    if (at.parent !== undefined && next === undefined) lost = at;
    at = next;
  }
  return { path: path.reverse(), lost };
}
