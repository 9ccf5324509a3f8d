import type { Dialect } from '../codecs/dialects.ts';
import { filterCompacted } from '../filter.ts';
import { hold, isHistory, type Held } from '../held.ts';
import { ask } from '../model/read-safely.ts';
import { pruneOldToolOutputs, type PruneOptions } from '../prune.ts';
import { repair } from '../repair.ts';
import { runCleanupLoop } from './cleanup-loop.ts';
import { tellLifted } from './lifted.ts';
import { describeCleanup, quietly, tell, type CleanupLogger } from './logger.ts';

export type PrepareOptions = PruneOptions & {
  readonly logger?: CleanupLogger;
  /** Given the system messages that a bare list has no place for: send them in the request's own field. */
  readonly onLifted?: (messages: readonly unknown[]) => void;
};

/**
 * A stored history made ready for the next request: it begins at its newest summary, bulky old results are emptied, and
 * what cannot be sent is cleaned. The input itself where nothing of that was needed.
 */
export function prepareHistory<T>(input: T, chosen?: PrepareOptions): T {
  const { logger, onLifted, ...options } = chosen ?? {};
  const filtered = filterCompacted(input, options.target);
  const { output } = pruneOldToolOutputs(filtered, options);
  const held = ask((given: T) => hold(given, options.target), output);
  return held === undefined ? output : clean(held, { logger, onLifted });
}

type Listeners = { [Name in 'logger' | 'onLifted']: PrepareOptions[Name] | undefined };

/** The loop leaves out what is not whole; whatever it leaves behind that would be refused is repaired. */
function clean<T>(held: Held<T>, { logger, onLifted }: Listeners): T {
  const { list, codec, profile } = held;
  const { messages } = runCleanupLoop(list, {}, logger === undefined ? {} : { logger });
  const cleaned = held.withList(messages);
  const target = { dialect: codec.dialect as Dialect, profile, purpose: 'history' } as const;
  // A whole request is repaired, because some of what must leave its list has a place around it.
  const subject: unknown = isHistory(cleaned) ? messages : cleaned;
  const { output, report, lifted } = repair(subject, target, { policy: 'discard' });
  if (report.repairs.length > 0) {
    const notes = report.repairs.map(({ note }) => note);
    tell(logger, describeCleanup(notes, 'Go on with the prepared history; the stored one is as it was.'));
  }
  if (lifted !== undefined) {
    tellLifted(lifted, codec, logger);
    quietly(() => onLifted?.(lifted));
  }
  return isHistory(cleaned) ? held.withList(output as readonly unknown[]) : (output as T);
}
