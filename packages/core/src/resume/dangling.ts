import { idText } from '../model/call-id.ts';
import { callOf } from '../rules/remedies/place.ts';
import { callAnsweredByAnother } from '../rules/call-answered-by-another.ts';
import { callWithoutResult } from '../rules/call-without-result.ts';
import { retryWithoutReturn } from '../rules/retry-without-return.ts';
import type { Woken } from '../engine/diagnose.ts';
import { dropPart } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Policy } from '../model/policy.ts';
import { ask } from '../model/read-safely.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord } from '../model/value.ts';
import { applyRules, callIds, editEach, findWith, LOOP_POLICY, type Cleaned } from './clean.ts';

/** What finds a call without a return, also one that hides behind the return of another call under its id. */
export const DANGLING: readonly Rule[] = [retryWithoutReturn, callWithoutResult, callAnsweredByAnother];

/** The arguments of calls, by call id. */
export type ToolCallArgs<A> = Readonly<Record<string, A>>;

export type WithoutDangling<M, A, Args = ToolCallArgs<A>> = {
  readonly changed: boolean;
  /** The list that was given, if nothing changed. */
  readonly messages: M[];
  /** The arguments of the calls that are left. */
  readonly toolCallArgsById: Args;
};

/**
 * Ids of calls that never had a return. A retry prompt is not a return.
 *
 * @example
 * const ids = findDanglingToolCallIds(history);
 */
export function findDanglingToolCallIds(messages: readonly unknown[]): Set<string> {
  return new Set(danglingCalls(messages, LOOP_POLICY).map(({ callId }) => callId));
}

/** Every call without a return, and where it stands. */
export function danglingCalls(messages: readonly unknown[], policy: Policy): { message: number; callId: string }[] {
  return findWith(messages, { rules: DANGLING, policy }, callsToDrop);
}

/** A rule that wants to drop a call has found it dangling. */
function callsToDrop({ rule, found }: Woken): { message: number; callId: string }[] {
  const edits = rule.repair?.(found)?.edits ?? [];
  return edits
    .filter((edit) => edit.kind === 'part')
    .map((edit) => ({ message: edit.message, callId: callOf(found, edit).callId }))
    .filter(({ callId }) => callId !== '');
}

/**
 * Removes calls that never had a return, with everything that carries their id, and forgets their arguments. An
 * explicit set of ids matches every occurrence of each.
 *
 * @example
 * const { messages } = removeDanglingToolCalls(history);
 */
export function removeDanglingToolCalls<M, A = unknown>(
  messages: readonly M[],
  toolCallArgsById: ReadonlyMap<string, A>,
  danglingIds?: Iterable<string>,
): WithoutDangling<M, A, ReadonlyMap<string, A>>;
export function removeDanglingToolCalls<M, A = unknown>(
  messages: readonly M[],
  toolCallArgsById?: ToolCallArgs<A>,
  danglingIds?: Iterable<string>,
): WithoutDangling<M, A>;
export function removeDanglingToolCalls<M, A>(
  messages: readonly M[],
  toolCallArgsById?: AnyArgs<A>,
  danglingIds?: Iterable<string>,
): WithoutDangling<M, A, AnyArgs<A>> {
  const given = idsIn(danglingIds);
  const ids = given ?? findDanglingToolCallIds(messages);
  const cleaned = given === undefined ? dropDangling(messages) : dropIds(messages, ids);
  return withArgs(cleaned, ids, toolCallArgsById ?? {});
}

/** A set of ids as somebody gave it; undefined for what is none, such as the place that a list hands to a function. */
export function idsIn(given: unknown): ReadonlySet<string> | undefined {
  return ask(readIds, given);
}

function readIds(given: unknown): ReadonlySet<string> | undefined {
  if (typeof given === 'string') return new Set([given]);
  const isList = typeof given === 'object' && given !== null && Symbol.iterator in given;
  return isList ? new Set([...(given as Iterable<unknown>)].filter((id) => typeof id === 'string')) : undefined;
}

/** Lets the engine decide call by call: an id that was used again elsewhere keeps its answered calls. */
export function dropDangling<M>(messages: readonly M[]): Cleaned<M> {
  return applyRules(messages, DANGLING);
}

/** Removes every part that carries one of these ids. */
export function dropIds<M>(messages: readonly M[], ids: ReadonlySet<string>): Cleaned<M> {
  return editEach(messages, ({ parts }, message) => {
    const edits = parts.flatMap((part, index) => (ids.has(idOf(part)) ? [dropPart({ message, part: index })] : []));
    const gone = [...new Set(parts.map(idOf).filter((id) => ids.has(id)))].join(', ');
    return edits.length === 0 ? undefined : { edits, note: `removed what carries the id of call ${gone}` };
  });
}

/** The call a part belongs to, also for parts that only mention it. */
function idOf(part: Part): string {
  if (part.kind === 'call' || part.kind === 'result') return part.callId;
  const wire = isRecord(part.wire) ? part.wire : {};
  const id = wire['tool_call_id'] ?? wire['toolCallId'];
  return idText(id) ?? '';
}

/** The arguments as somebody holds them. */
export type AnyArgs<A> = ToolCallArgs<A> | ReadonlyMap<string, A>;

/** Forgets the arguments of calls that are gone, in a new object of the same kind. */
export function withArgs<M, A>(
  { messages, changed }: Cleaned<M>,
  ids: ReadonlySet<string>,
  args: AnyArgs<A>,
): WithoutDangling<M, A, AnyArgs<A>> {
  const known = [...ids].filter((id) => (args instanceof Map ? args.has(id) : Object.hasOwn(args, id)));
  const used = known.length === 0 ? undefined : callIds(messages);
  const gone = new Set(known.filter((id) => used?.has(id) !== true));
  if (gone.size === 0) return { changed, messages, toolCallArgsById: args };
  const stays = ([id]: readonly [string, A]): boolean => !gone.has(id);
  const kept =
    args instanceof Map
      ? new Map<string, A>([...(args as ReadonlyMap<string, A>)].filter(stays))
      : Object.fromEntries(Object.entries(args as ToolCallArgs<A>).filter(stays));
  return { changed: true, messages, toolCallArgsById: kept };
}
