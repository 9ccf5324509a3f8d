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

function without(value: unknown, path: Path, key: string | number): unknown {
  const copy: unknown = structuredClone(value);
  const holder = at(copy, path);
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (isFields(holder)) delete holder[key];
  return copy;
}

/**
 * The smallest input found that still fails: messages, then parts, then keys are left out one at a time,
 * outermost first, as long as the failure stays.
 */
export function shrink(input: unknown, fails: (candidate: unknown) => boolean, tries = 3000): unknown {
  let smallest = input;
  let left = tries;
  for (let progress = true; progress && left > 0;) {
    progress = false;
    for (const path of holdersIn(smallest).sort((a, b) => a.length - b.length)) {
      const holder = readIfThere(smallest, path);
      const keys = Array.isArray(holder) ? [...holder.keys()].reverse() : isFields(holder) ? Object.keys(holder) : [];
      for (const key of keys) {
        const candidate = without(smallest, path, key);
        left -= 1;
        if (left <= 0) return smallest;
        if (!fails(candidate)) continue;
        smallest = candidate;
        progress = true;
      }
    }
  }
  return smallest;
}

/** A holder may be gone because something around it was left out meanwhile. */
function readIfThere(value: unknown, path: Path): unknown {
  try {
    return at(value, path);
  } catch {
    return undefined;
  }
}
