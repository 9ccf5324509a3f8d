import { detectDialect } from '../codecs/detect.ts';
import { CODECS } from '../codecs/dialects.ts';
import type { Codec } from '../model/codec.ts';
import { isRecord, mend, readKey, withKeys } from '../model/value.ts';
import { runCleanupLoop } from './cleanup-loop.ts';
import { describeCleanup, tell, type CleanupLogger } from './logger.ts';

const SYSTEM_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer']);
const SYSTEM_PROMPT = 'system-prompt';
const NEXT = 'Go on with this copy; the stored messages are as they were.';

/** Parts without the system prompts among them; the same list when there are none, and what is no list as it is. */
export function stripSystemPromptParts<P>(parts: readonly P[]): readonly P[] {
  if (!Array.isArray(parts)) return parts;
  const kept = parts.filter((part) => !isSystemPrompt(part));
  return kept.length === parts.length ? parts : kept;
}

function isSystemPrompt(part: unknown): boolean {
  return isRecord(part) && (readKey(part, 'part_kind') ?? readKey(part, 'partKind')) === SYSTEM_PROMPT;
}

/**
 * A copy of a history for the next run: without system prompts, which the framework puts in again, without the ids that
 * bind messages to the run that made them, and without messages that are empty after that. Always a new list.
 */
export function sanitizeHistoryForResume<M>(
  messages: readonly M[],
  { logger }: { readonly logger?: CleanupLogger } = {},
): M[] {
  if (!Array.isArray(messages)) return [];
  const codec = codecOf(messages);
  const copies = messages.map((message: M) => copyForResume(message, codec));
  const kept = copies.filter((copy) => copy !== undefined);
  const unbound = kept.filter((copy, i) => copy !== messages[i]).length > 0;
  if (kept.length === messages.length) {
    if (unbound) tell(logger, describeCleanup(['stripped system prompts and run ids'], NEXT));
    return kept;
  }
  const count = String(messages.length - kept.length);
  tell(
    logger,
    describeCleanup([`stripped system prompts and run ids, and ${count} messages left empty by that`], NEXT),
  );
  // A message is gone, so its neighbours meet for the first time.
  return [...runCleanupLoop(kept, {}, logger === undefined ? {} : { logger }).messages];
}

function codecOf(messages: readonly unknown[]): Codec | undefined {
  const dialect = detectDialect(messages);
  return dialect === undefined ? undefined : CODECS[dialect];
}

/** The message itself when there is nothing to strip; undefined when nothing is left of it. */
function copyForResume<M>(message: M, codec: Codec | undefined): M | undefined {
  try {
    return strip(message, codec);
  } catch {
    return strip(mend(message) as M, codec);
  }
}

function strip<M>(message: M, codec: Codec | undefined): M | undefined {
  if (!isRecord(message)) return message;
  // Not every dialect says by a role who speaks.
  if (SYSTEM_ROLES.has(message['role']) || codec?.read(message, 0).role === 'system') return undefined;
  const changes: Record<string, unknown> = {};
  for (const key of ['run_id', 'runId']) if (Object.hasOwn(message, key)) changes[key] = undefined;
  const parts: unknown = message['parts'];
  const kept = stripSystemPromptParts(parts as readonly unknown[]);
  if (kept !== parts) {
    if (kept.length === 0) return undefined;
    changes['parts'] = kept;
  }
  return Object.keys(changes).length === 0 ? message : (withKeys(message, changes) as M);
}
