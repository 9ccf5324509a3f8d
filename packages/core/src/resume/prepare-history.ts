import type { Dialect } from '../codecs/dialects.ts';
import { outline } from '../compaction/outline.ts';
import { filterCompacted } from '../filter.ts';
import { hold, type Held } from '../held.ts';
import { ask } from '../model/read-safely.ts';
import { pruneOldToolOutputs, type PruneOptions } from '../prune.ts';
import { repair } from '../repair.ts';
import { runCleanupLoop } from './cleanup-loop.ts';
import type { CleanupLogger } from './logger.ts';

export type PrepareOptions = PruneOptions & { readonly logger?: CleanupLogger };

/**
 * A stored history made ready for the next request: it begins at its newest summary, bulky old results are emptied, and
 * what cannot be sent is cleaned. The input itself where nothing of that was needed.
 */
export function prepareHistory<T>(input: T, { logger, ...options }: PrepareOptions = {}): T {
  const filtered = filterCompacted(input, options.target);
  const { output } = pruneOldToolOutputs(filtered, options);
  const held = ask((given: T) => hold(given, options.target), output);
  return held === undefined ? output : held.withList(clean(held, logger));
}

/** The loop leaves out what is not whole; whatever it leaves behind that would be refused is repaired. */
function clean(held: Held<unknown>, logger: CleanupLogger | undefined): readonly unknown[] {
  const { list, codec, profile } = held;
  const first = newestPlace(held);
  // The loop keeps the last of several requests, and a summary is a request that stands before another.
  const { messages } = runCleanupLoop(list.slice(first), {}, logger === undefined ? {} : { logger });
  const joined = [...list.slice(0, first), ...messages];
  const dialect = codec.dialect as Dialect;
  return repair(joined, { dialect, profile, purpose: 'history' }, { policy: 'discard' }).output;
}

function newestPlace({ list, codec, profile }: Held<unknown>): number {
  return (outline(list, codec, profile).summaries[0] ?? -1) + 1;
}
