import { isFields } from './draft.ts';

/** Where in a value a list or an object stands, as keys from the root. */
type Path = readonly (string | number)[];

function holdersIn(value: unknown, path: Path = [], into: Path[] = []): Path[] {
  if (Array.isArray(value)) {
    into.push(path);
    for (const [key, child] of value.entries()) holdersIn(child, [...path, key], into);
  } else if (isFields(value)) {
    into.push(path);
    for (const key of Object.keys(value)) holdersIn(value[key], [...path, key], into);
  }
  return into;
}

function at(value: unknown, path: Path): unknown {
  let found = value;
  for (const key of path) found = (found as Record<string | number, unknown>)[key];
  return found;
}

/** A copy with some neighbouring entries of one list, or one key of one object, left out. */
function without(value: unknown, path: Path, gone: { key: string | number; count: number }): unknown {
  const copy: unknown = structuredClone(value);
  const holder = at(copy, path);
  if (Array.isArray(holder)) holder.splice(Number(gone.key), gone.count);
  else if (isFields(holder)) delete holder[gone.key];
  return copy;
}

/** A call and its result go together or not at all, so runs of a few entries are tried before single ones. */
function* cutsOf(holder: unknown): Generator<{ key: string | number; count: number }> {
  if (Array.isArray(holder)) {
    for (const count of [4, 3, 2, 1]) {
      for (let key = holder.length - count; key >= 0; key -= 1) yield { key, count };
    }
  } else if (isFields(holder)) for (const key of Object.keys(holder)) yield { key, count: 1 };
}

/**
 * The smallest input found that still fails: messages, then parts, then keys are left out, outermost first, as long
 * as the failure stays.
 */
export function shrink(input: unknown, fails: (candidate: unknown) => boolean, tries = 3000): unknown {
  let smallest = input;
  let left = tries;
  const step = (): boolean => {
    for (const path of holdersIn(smallest).sort((a, b) => a.length - b.length)) {
      for (const cut of cutsOf(at(smallest, path))) {
        const candidate = without(smallest, path, cut);
        left -= 1;
        if (left <= 0) return false;
        if (!fails(candidate)) continue;
        smallest = candidate;
        return true;
      }
    }
    return false;
  };
  while (step()) continue;
  return smallest;
}
