import { outline } from './compaction/outline.ts';
import { carriedParts } from './compaction/summary-message.ts';
import { openInput } from './open-input.ts';
import type { Codec } from './model/codec.ts';
import type { Part } from './model/part.ts';
import { ask, readSafely } from './model/read-safely.ts';
import { sameJson } from './model/value.ts';
import type { TargetInput } from './target.ts';

/**
 * The list from its newest summary on, with the system's own words before it, also those that a framework put beside
 * the first words of the user: what a summary stands for is not sent.
 * The input itself where there is no summary.
 *
 * @example
 * const sent = filterCompacted(messages);
 */
export function filterCompacted<T>(input: T, target?: TargetInput): T {
  const held = ask((given: T) => openInput(given, target), input);
  if (held === undefined) return input;
  const { list, codec } = held;
  const noted = outline(list, held);
  const { leading, reaches } = noted;
  // The list may begin at a summary when everything that began before it has ended.
  const reach = runningMaximum(reaches);
  const from = noted.summaries.findLast((place) => place === 0 || (reach[place - 1] ?? 0) < place);
  if (from === undefined || from <= leading) return input;
  const summary = withCarried(list[from], carriedParts(list, noted, codec), codec);
  return held.withList([...list.slice(0, leading), summary, ...list.slice(from + 1)]);
}

function runningMaximum(numbers: readonly number[]): readonly number[] {
  let most = -1;
  return numbers.map((each) => (most = Math.max(most, each)));
}

/** A message with such parts in front of its own, but for those it has already; itself where there are none. */
function withCarried(wire: unknown, parts: readonly Part[], codec: Codec): unknown {
  const message = readSafely(codec, wire, -1);
  const carried = parts.filter((part) => !message.parts.some((own) => sameJson(own.wire, part.wire)));
  return carried.length === 0 ? wire : codec.write({ ...message, parts: [...carried, ...message.parts] });
}
