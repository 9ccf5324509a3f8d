import { isRecord, readKey } from '../model/value.ts';
import { isChainType } from './detect-framework.ts';
import type { Dialect } from '../model/dialect.ts';

type Wire = Record<string, unknown>;

/** How many messages are looked at where none of them is strange, so that a usual history pays next to nothing. */
const PROBES = 16;

/** Items of types that we do not know may come with the next version of the API, so they contradict nothing. */
const OF_ITEMS: ReadonlySet<Dialect> = new Set(['openai-responses', 'openai-agents']);

/**
 * True where more than a quarter of the entries cannot be messages of the dialect that one of them has shown: a file
 * in which another program keeps its messages among notes of its own, or wrapped into them.
 */
export function isContradicted(list: readonly unknown[], dialect: Dialect, sample: number): boolean {
  const size = Math.min(list.length, sample);
  const step = Math.max(1, Math.floor(size / PROBES));
  for (let i = 0; i < size; i += step)
    if (isForeign(readKey(list, i), dialect)) return isMostlyForeign(list, dialect, size);
  return false;
}

function isMostlyForeign(list: readonly unknown[], dialect: Dialect, size: number): boolean {
  let entries = 0;
  let foreign = 0;
  for (let i = 0; i < size; i += 1) {
    const entry = readKey(list, i);
    if (!isRecord(entry)) continue;
    entries += 1;
    if (isForeign(entry, dialect)) foreign += 1;
  }
  return foreign * 4 > entries;
}

function isForeign(entry: unknown, dialect: Dialect): boolean {
  if (!isRecord(entry)) return false;
  try {
    return cannotBe(entry, dialect);
  } catch {
    return false;
  }
}

/** A message has its content with it, or its calls; one without any says at least who speaks. */
function cannotBe(message: Wire, dialect: Dialect): boolean {
  if (message['content'] !== undefined || message['parts'] !== undefined) return false;
  if (message['tool_calls'] !== undefined || message['call_id'] !== undefined) return false;
  if (wrapsMessage(message)) return true;
  if (OF_ITEMS.has(dialect) || typeof message['type'] !== 'string' || message['role'] !== undefined) return false;
  return dialect !== 'langchain' || !(isRecord(message['kwargs']) || isChainType(message['type']));
}

/** No dialect keeps what is said under these names on an entry of a list. */
function wrapsMessage({ message, payload, messages }: Wire): boolean {
  return isRecord(message) || typeof message === 'string' || isRecord(payload) || Array.isArray(messages);
}
