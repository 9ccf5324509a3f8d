import { pairKey, type CallPart, type Message, type ResultPart } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { readableJson } from '../model/value.ts';
import { filesOf } from './file-names.ts';
import type { Bench, Gone, Shortened } from './gone.ts';

/** Stands for what was read again later. */
export const READ_AGAIN = '[left out: the same was read again later, and that result stands further on]';

type Read = { readonly message: Message; readonly part: number; readonly result: ResultPart };

/** A message, and what is to stand in some of its parts. */
type Change = { readonly message: Message; readonly parts: Map<number, ResultPart> };

/** Empties the results of reads that were made again later with the same arguments; the newest one stays. */
export function dropRepeatedReads(
  list: readonly unknown[],
  isExempt: (index: number) => boolean,
  bench: Bench,
): Shortened {
  const changes = new Map<Message, Change>();
  for (const { message, part, result } of outdated(
    Array.from(list, (wire, index) => readSafely(bench.codec, wire, index)),
  )) {
    if (isExempt(message.at) || bench.count(result.text) <= bench.count(READ_AGAIN)) continue;
    const emptied = bench.codec.retell(result, READ_AGAIN);
    if (emptied === undefined) continue;
    const change = changes.get(message) ?? { message, parts: new Map<number, ResultPart>() };
    change.parts.set(part, emptied);
    changes.set(message, change);
  }
  return apply(list, [...changes.values()], bench);
}

function apply(list: readonly unknown[], changes: readonly Change[], bench: Bench): Shortened {
  const gone: Gone[] = [];
  const next = [...list];
  for (const { message, parts } of changes) {
    const edited = message.parts.map((part, place) => parts.get(place) ?? part);
    const wire = bench.codec.write({ ...message, parts: edited }, list);
    if (bench.scales.of(wire) >= bench.scales.of(list[message.at])) continue;
    next[message.at] = wire;
    gone.push({ from: message.at, to: message.at + 1, what: 'repeated', note: 'the same was read again later' });
  }
  return { list: gone.length === 0 ? list : next, gone };
}

/** All reads but the newest of each kind. A change of a file in between does not matter: what is newer is right. */
function outdated(messages: readonly Message[]): readonly Read[] {
  const waiting = new Map<string, string>();
  const reads = new Map<string, Read[]>();
  for (const message of messages) {
    message.parts.forEach((each, part) => {
      if (each.kind === 'call') {
        const kind = readKind(each);
        if (kind === undefined) waiting.delete(pairKey(each));
        else waiting.set(pairKey(each), kind);
      } else if (each.kind === 'result' && !each.server && each.outcome === 'ok') {
        const kind = waiting.get(pairKey(each));
        if (kind === undefined) return;
        waiting.delete(pairKey(each));
        const found = reads.get(kind) ?? [];
        found.push({ message, part, result: each });
        reads.set(kind, found);
      }
    });
  }
  return [...reads.values()].flatMap((found) => found.slice(0, -1));
}

/** What a call reads; undefined for one that may do something else. */
function readKind(call: CallPart): string | undefined {
  const { names, changed } = filesOf(call);
  return call.server || changed || names.length === 0 ? undefined : `${call.tool}\n${readableJson(call.input)}`;
}
