import { holdsAside } from '../dialects/raw-content.ts';
import type { Message } from '../model/part.ts';
import { isRecord } from '../model/value.ts';
import { consecutiveRequests } from '../rules/consecutive-requests.ts';
import { editEach, applyRules } from './clean.ts';

/** A list, and whether it is another one than was given. */
export type Step<M> = {
  readonly changed: boolean;
  /** The list that was given, if nothing changed. */
  readonly messages: M[];
};

/**
 * Removes responses without any part: the run was stopped before the model had said anything.
 *
 * @example
 * const { messages } = removeEmptyResponses(history);
 */
export function removeEmptyResponses<M>(messages: readonly M[]): Step<M> {
  const { changed, messages: kept } = editEach(messages, (message, index) =>
    isEmptyResponse(message) ? { edits: [{ kind: 'message', message: index, messages: [] }], note: EMPTY } : undefined,
  );
  return { changed, messages: kept };
}

export const EMPTY = 'removed an empty response, which was stopped before it began';

/** No parts, or nothing but an empty text that is no part of its own, and nothing of the provider's own words. */
function isEmptyResponse({ role, parts, wire }: Message): boolean {
  if (holdsAside(wire)) return false;
  if (role === 'unreadable') return lacksParts(wire);
  if (role !== 'assistant') return false;
  return parts.every((part) => part.kind === 'text' && part.text === '' && part.wire === undefined);
}

/** A response that was stored without a list of parts at all, and with nothing that could stand for one. */
function lacksParts(wire: unknown): boolean {
  if (!isRecord(wire) || wire['kind'] !== 'response') return false;
  return ['parts', 'tool_calls', 'content'].every((key) => (wire[key] ?? undefined) === undefined);
}

/**
 * Keeps only the last of several requests in a row; a request that carries results always stays.
 *
 * @example
 * const { messages } = removeConsecutiveRequests(history);
 */
export function removeConsecutiveRequests<M>(messages: readonly M[]): Step<M> {
  const { changed, messages: kept } = applyRules(messages, [consecutiveRequests]);
  return { changed, messages: kept };
}
