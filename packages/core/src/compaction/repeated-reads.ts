import { pairKey, type CallPart, type Message, type ResultPart } from '../model/part.ts';
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
  const repeated = repeatedReads(messages).filter(({ part }) => count(part.text) > count(READ_AGAIN));
  const parts = new Set(repeated.map(({ part }) => part));
  const retell = (part: ResultPart): ResultPart | undefined =>
    parts.has(part) ? codec.retell(part, READ_AGAIN) : undefined;
  const gone: Gone[] = [];
  const next = [...list];
  for (const message of new Set(repeated.map((read) => read.message))) {
    const { at } = message;
    const emptied = isExempt(at) ? undefined : retellResults(message, retell, { list, context });
    if (emptied === undefined) continue;
    next[at] = emptied.wire;
    gone.push({ from: at, to: at + 1, what: 'repeated', note: 'the same was read again later' });
  }
  return { list: gone.length === 0 ? list : next, gone };
}

type Read = { readonly message: Message; readonly part: ResultPart };

/** All reads but the newest of each. A change of a file in between does not matter: what is newer is right. */
function repeatedReads(messages: readonly Message[]): readonly Read[] {
  const waiting = new Map<string, string | undefined>();
  const reads = new Map<string, Read[]>();
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.kind === 'call') waiting.set(pairKey(part), readOf(part));
      if (part.kind !== 'result' || part.server || part.outcome !== 'ok') continue;
      const read = waiting.get(pairKey(part));
      if (read === undefined) continue;
      waiting.delete(pairKey(part));
      const found = reads.get(read) ?? [];
      found.push({ message, part });
      reads.set(read, found);
    }
  }
  return [...reads.values()].flatMap((found) => found.slice(0, -1));
}

/** What a call reads; undefined for one that may do something else. */
function readOf(call: CallPart): string | undefined {
  const { names, changed } = filesOf(call);
  return call.server || changed || names.length === 0 ? undefined : `${call.tool}\n${readableJson(call.input)}`;
}
