import { pairKey, type CallPart, type Message, type Part, type ResultPart } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { readableJson } from '../model/value.ts';
import { filesOf } from './call-files.ts';
import { retellResults, type Gone, type Shortened, type StepContext } from './step.ts';

/** Stands for what was read again later. */
export const READ_AGAIN = '[left out: the same was read again later, and that result stands further on]';

/** Empties the results of reads that were made again later with the same arguments; the newest one stays. */
export function dropRepeatedReads(
  list: readonly unknown[],
  isExempt: (index: number) => boolean,
  context: StepContext,
): Shortened {
  const { codec, count } = context;
  const messages = Array.from(list, (wire, index) => readSafely(codec, wire, index));
  const repeated = repeatedReads(messages);
  const retell = (part: ResultPart): ResultPart | undefined =>
    repeated.has(part) && count(part.text) > count(READ_AGAIN) ? codec.retell(part, READ_AGAIN) : undefined;
  const gone: Gone[] = [];
  const next = [...list];
  for (const message of messages) {
    const { at } = message;
    const emptied = isExempt(at) ? undefined : retellResults(message, retell, { list, context });
    if (emptied === undefined) continue;
    next[at] = emptied.wire;
    gone.push({ from: at, to: at + 1, what: 'repeated', note: 'the same was read again later' });
  }
  return { list: gone.length === 0 ? list : next, gone };
}

/** The results of all reads but the newest of each. A change of a file in between does not matter: newer is right. */
function repeatedReads(messages: readonly Message[]): ReadonlySet<Part> {
  const waiting = new Map<string, string>();
  const newest = new Map<string, Part>();
  const repeated = new Set<Part>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    if (part.kind === 'call') waiting.set(pairKey(part), readOf(part) ?? '');
    if (part.kind !== 'result' || part.server || part.outcome !== 'ok') continue;
    const read = waiting.get(pairKey(part)) ?? '';
    if (read === '') continue;
    waiting.delete(pairKey(part));
    const before = newest.get(read);
    if (before !== undefined) repeated.add(before);
    newest.set(read, part);
  }
  return repeated;
}

/** What a call reads; undefined for one that may do something else. */
function readOf(call: CallPart): string | undefined {
  const { names, changed } = filesOf(call);
  return call.server || changed || names.length === 0 ? undefined : `${call.tool}\n${readableJson(call.input)}`;
}
