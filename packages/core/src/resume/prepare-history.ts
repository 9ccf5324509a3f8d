import type { Dialect } from '../model/dialect.ts';
import { filterCompacted } from '../filter.ts';
import { openInput, isHistory, type OpenInput } from '../open-input.ts';
import { ask } from '../model/read-safely.ts';
import { pruneOldToolOutputs, type PruneOptions } from '../prune.ts';
import { repair } from '../repair.ts';
import type { TargetInput } from '../target.ts';
import { MAX_CLEANUP_ITERATIONS, runCleanupLoop } from './cleanup-loop.ts';
import { tellLifted, describeCleanup, quietly, tell, type CleanupLogger } from './logger.ts';

export type PrepareOptions = PruneOptions & {
  /** Told what was changed (default: nobody). */
  readonly logger?: CleanupLogger;
  /** Given the system messages that a bare list has no place for: send them in the request's own field. */
  readonly onLifted?: (messages: readonly unknown[]) => void;
};

/**
 * A stored history made ready for the next request: it begins at its newest summary, bulky old results are emptied, and
 * what cannot be sent is cleaned. The input itself where nothing of that was needed.
 *
 * @example
 * const history = prepareHistory(stored, { logger: console.warn });
 */
export function prepareHistory<T>(input: T, options?: PrepareOptions): T {
  const { logger, onLifted, ...pruning } = options ?? {};
  const filtered = filterCompacted(input, pruning.target);
  let { output } = pruneOldToolOutputs(filtered, pruning);
  const lifted: unknown[] = [];
  let held = open(output, pruning.target);
  // What a repair takes away can leave neighbours that the loop has to look at again.
  for (let i = 0; i < MAX_CLEANUP_ITERATIONS && held !== undefined; i += 1) {
    const cleaned = clean(held, logger);
    ({ output } = cleaned);
    for (const each of cleaned.lifted) lifted.push(each);
    held = cleaned.settled ? undefined : open(output, targetOf(held));
  }
  if (lifted.length > 0) quietly(() => onLifted?.(lifted));
  return output;
}

function open<T>(output: T, target: TargetInput | undefined): OpenInput<T> | undefined {
  return ask((given: T) => openInput(given, target), output);
}

function targetOf<T>({ codec, profile }: OpenInput<T>): Exclude<TargetInput, string> {
  return { dialect: codec.dialect as Dialect, profile, purpose: 'history' };
}

type Cleaned<T> = {
  readonly output: T;
  /** System messages that the list has no place for. */
  readonly lifted: readonly unknown[];
  /** The loop has left nothing to repair. */
  readonly settled: boolean;
};

/** The loop leaves out what is not whole; whatever it leaves behind that would be refused is repaired. */
function clean<T>(held: OpenInput<T>, logger: CleanupLogger | undefined): Cleaned<T> {
  const { messages } = runCleanupLoop(held.list, {}, logger === undefined ? {} : { logger });
  const cleaned = held.withList(messages);
  // A whole request is repaired, because some of what must leave its list has a place around it.
  const subject: unknown = isHistory(cleaned) ? messages : cleaned;
  const { output, changed, report, lifted = [] } = repair(subject, targetOf(held), { policy: 'discard' });
  if (report.repairs.length > 0) {
    const notes = report.repairs.map(({ note }) => note);
    tell(logger, describeCleanup(notes, 'Go on with the prepared history; the stored one is as it was.'));
  }
  if (lifted.length > 0) tellLifted(lifted, held.codec, logger);
  const whole = isHistory(cleaned) ? held.withList(output as readonly unknown[]) : (output as T);
  return { output: whole, lifted, settled: !changed };
}
