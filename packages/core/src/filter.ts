import { newestSummary } from './compaction/filter.ts';
import { outline } from './compaction/outline.ts';
import { hold } from './held.ts';
import { ask } from './model/read-safely.ts';
import type { TargetInput } from './target.ts';

/**
 * The list from its newest summary on, with the system's own words before it: what a summary stands for is not sent.
 * The input itself where there is no summary.
 */
export function filterCompacted<T>(input: T, target?: TargetInput): T {
  const held = ask((given: T) => hold(given, target), input);
  if (held === undefined) return input;
  const { list, codec, profile } = held;
  const kept = newestSummary(outline(list, codec, profile));
  if (kept === undefined) return input;
  return held.withList([...list.slice(0, kept.leading), ...list.slice(kept.from)]);
}
