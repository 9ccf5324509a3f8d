import type { Message } from '../../model/part.ts';
import { isRecord, readableJson, withKeys } from '../../model/value.ts';

type Wire = Readonly<Record<string, unknown>>;

/** Keys that say which message it is and of whom, or that are read as parts and come back with them. */
const READ: ReadonlySet<string> = new Set([
  'id',
  'role',
  'content',
  'parts',
  'tool_calls',
  'function_call',
  'refusal',
  'audio',
]);

/** Keys that hold thoughts: those of both messages are kept. */
const THOUGHTS: ReadonlySet<string> = new Set(['reasoning_content', 'reasoning']);

/** A message's wire object with the keys that only those joined to it have, and a word on the keys that clash. */
export function joinedKeys(
  keeper: Message,
  others: readonly Message[],
): { readonly wire: unknown; readonly told: string } {
  if (!isSpoken(keeper.wire)) return { wire: keeper.wire, told: '' };
  const before = keeper.wire;
  const changes = Object.create(null) as Record<string, unknown>;
  const clashes = new Set<string>();
  for (const { wire } of others) {
    if (!isSpoken(wire)) continue;
    for (const key of Object.keys(wire)) {
      if (READ.has(key) || isNothing(wire[key])) continue;
      const kept = Object.hasOwn(changes, key) ? changes[key] : Object.hasOwn(before, key) ? before[key] : undefined;
      const both = isNothing(kept) ? wire[key] : bothOf(key, kept, wire[key]);
      if (both === undefined) clashes.add(key);
      else if (both !== kept) changes[key] = both;
    }
  }
  const wire = Object.keys(changes).length === 0 ? before : withKeys(before, changes);
  return { wire, told: clashes.size === 0 ? '' : `; of keys that differ the first stays: ${[...clashes].join(', ')}` };
}

/** A plain message; the classes of a framework keep what they hold in ways of their own. */
function isSpoken(wire: unknown): wire is Wire {
  return isRecord(wire) && typeof wire['role'] === 'string';
}

function bothOf(key: string, first: unknown, second: unknown): unknown {
  if (THOUGHTS.has(key) && typeof first === 'string' && typeof second === 'string') return `${first}\n\n${second}`;
  return first === second || readableJson(first) === readableJson(second) ? first : undefined;
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
