import { detectDialect } from '../dialects/detect.ts';
import { CODECS } from '../dialects/dialects.ts';
import type { Codec } from '../model/codec.ts';
import { ask } from '../model/read-safely.ts';
import { isRecord, mend, readKey, setKey, withKeys } from '../model/value.ts';
import { listIn } from './clean.ts';
import { describeCleanup, tell, type CleanupLogger } from './logger.ts';

const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer']);
const RUN_KEYS = ['run_id', 'runId'] as const;
const SYSTEM_PROMPT = 'system-prompt';
const NEXT = 'Go on with this copy; the stored messages are as they were.';

/**
 * Parts without the system prompts among them; the same list when there are none, and what is no list as it is.
 *
 * @example
 * const parts = stripSystemPromptParts(request.parts);
 */
export function stripSystemPromptParts<P>(parts: readonly P[]): P[] {
  return (ask(withoutSystemPrompts<P>, parts) ?? parts) as P[];
}

function withoutSystemPrompts<P>(parts: readonly P[]): readonly P[] {
  if (!Array.isArray(parts)) return parts;
  const kept = (parts as readonly P[]).filter((part) => ask(isSystemPrompt, part) !== true);
  return kept.length === parts.length ? parts : kept;
}

function isSystemPrompt(part: unknown): boolean {
  return isRecord(part) && (readKey(part, 'part_kind') ?? readKey(part, 'partKind')) === SYSTEM_PROMPT;
}

/**
 * A copy of a history for the next run: without system prompts, which the framework puts in again, without the ids that
 * bind messages to the run that made them, and without messages that are empty after that. All else stays, also open
 * calls and unanswered requests: those are for `runCleanupLoop`. Always a new list.
 *
 * @example
 * const history = sanitizeHistoryForResume(stored);
 */
export function sanitizeHistoryForResume<M>(
  messages: readonly M[],
  options?: { readonly logger?: CleanupLogger },
): M[] {
  const { logger } = options ?? {};
  const list = listIn(messages);
  if (list === undefined) return [];
  const codec = codecOf(list);
  const copies = list.map((message: M) => copyForResume(message, codec));
  const kept = copies.filter((copy): copy is M => copy !== STRIPPED);
  const emptied = list.length - kept.length;
  const dropped = emptied === 0 ? '' : `, and ${String(emptied)} messages left empty by that`;
  const isChanged = emptied > 0 || kept.some((copy, i) => copy !== list[i]);
  if (isChanged) tell(logger, describeCleanup([`stripped system prompts and run ids${dropped}`], NEXT));
  return kept;
}

function codecOf(messages: readonly unknown[]): Codec | undefined {
  const dialect = detectDialect(messages);
  return dialect === undefined ? undefined : CODECS[dialect];
}

/** Stands for a message of which nothing is left; whatever else is in a list, also nothing, is not ours to count. */
const STRIPPED = Symbol('stripped');

/** The message itself when there is nothing to strip. */
function copyForResume<M>(message: M, codec: Codec | undefined): M | typeof STRIPPED {
  try {
    return strip(message, codec);
  } catch {
    return strip(mend(message) as M, codec);
  }
}

function strip<M>(message: M, codec: Codec | undefined): M | typeof STRIPPED {
  if (!isRecord(message)) return message;
  // Not every dialect says by a role who speaks.
  if (SYSTEM_ROLES.has(message['role']) || codec?.read(message, 0).role === 'system') return STRIPPED;
  const changes: Record<string, unknown> = {};
  for (const key of RUN_KEYS) if (isBound(message, key)) changes[key] = undefined;
  const parts: unknown = message['parts'];
  const kept = withoutSystemPrompts(parts as readonly unknown[]);
  if (kept !== parts) {
    if (kept.length === 0) return STRIPPED;
    changes['parts'] = kept;
  }
  if (Object.keys(changes).length === 0) return message;
  const copy = withKeys(message, changes);
  // What the class of a message tells of its run is told of the copy as well, unless something stands before it.
  for (const key of RUN_KEYS) if (key in copy) setKey(copy, key, undefined);
  return copy as M;
}

/** True where a message names its run, in a field of its own or by its class. */
function isBound(message: Record<string, unknown>, key: string): boolean {
  return Object.hasOwn(message, key) || message[key] !== undefined;
}
