import { asideAt, withAside } from './compaction/aside.ts';
import { newestSummary } from './compaction/filter.ts';
import { outline } from './compaction/outline.ts';
import { hold } from './held.ts';
import { ask } from './model/read-safely.ts';
import type { TargetInput } from './target.ts';

/**
 * The list from its newest summary on, with the system's own words before it, also those that a framework put beside
 * the first words of the user: what a summary stands for is not sent.
 * The input itself where there is no summary.
 */
export function filterCompacted<T>(input: T, target?: TargetInput): T {
  const held = ask((given: T) => hold(given, target), input);
  if (held === undefined) return input;
  const { list, codec, profile } = held;
  const noted = outline(list, codec, profile);
  const kept = newestSummary(noted);
  if (kept === undefined) return input;
  const { leading, from } = kept;
  const aside = asideAt(list, leading, { codec, role: noted.roles[leading] });
  return held.withList([...list.slice(0, leading), withAside(list[from], aside, codec), ...list.slice(from + 1)]);
}
