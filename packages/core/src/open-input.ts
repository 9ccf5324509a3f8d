import { toWire } from './history.ts';
import type { Codec } from './model/codec.ts';
import { isDialect, type Dialect } from './model/dialect.ts';
import type { History } from './model/history.ts';
import type { Message } from './model/part.ts';
import type { Profile } from './model/profile.ts';
import { readSafely } from './model/read-safely.ts';
import { isRecord, withKeys } from './model/value.ts';
import { resolveTarget, type TargetInput } from './target.ts';

/** What somebody holds, opened: a list of messages, a whole request, or a history. */
export type OpenInput<T> = {
  readonly codec: Codec;
  readonly profile: Profile;
  /** The messages as they would be sent. */
  readonly list: readonly unknown[];
  /** The same messages as whoever holds them has them. */
  readonly items: readonly unknown[];
  /** The same kind of thing with another list; the thing itself where the list is its own. */
  withList(list: readonly unknown[]): T;
};

/** Opens what somebody holds; undefined where its dialect cannot be told or it holds no list. */
export function openInput<T>(input: T, target: TargetInput | undefined): OpenInput<T> | undefined {
  return isHistory(input) ? openHistory(input, target) : openWire(input, target);
}

function openWire<T>(input: T, wanted: TargetInput | undefined): OpenInput<T> | undefined {
  const resolved = resolveTarget(input, wanted);
  if (resolved === undefined) return undefined;
  const { target, envelope } = resolved;
  const { codec, profile } = target;
  const { list, body } = envelope;
  const make = (next: readonly unknown[]): T => {
    if (isSame(next, list)) return input;
    return (body === undefined ? next : withKeys(body, { [codec.listKey]: next })) as T;
  };
  return { codec, profile, list, items: list, withList: make };
}

function openHistory<T extends History>(input: T, wanted: TargetInput | undefined): OpenInput<T> | undefined {
  const asked = typeof wanted === 'string' ? { dialect: wanted } : { ...wanted };
  const own = isDialect(input.dialect) ? { dialect: input.dialect } : {};
  const resolved = resolveTarget([], { ...asked, ...own });
  if (resolved === undefined) return undefined;
  const { codec, profile } = resolved.target;
  const list = toWire({ dialect: codec.dialect as Dialect, messages: input.messages });
  const known = new Map(list.map((wire, index) => [wire, input.messages[index]]));
  const make = (next: readonly unknown[]): T => {
    if (isSame(next, list)) return input;
    const messages = next.map((wire, index): Message => known.get(wire) ?? readSafely(codec, wire, index));
    return { ...input, messages };
  };
  return { codec, profile, list, items: input.messages, withList: make };
}

/** True for a history as `decode` gives it. */
export function isHistory(input: unknown): input is History {
  return isRecord(input) && typeof input['dialect'] === 'string' && Array.isArray(input['messages']);
}

function isSame(list: readonly unknown[], other: readonly unknown[]): boolean {
  return list === other || (list.length === other.length && list.every((each, index) => each === other[index]));
}

/** True for a value that throws when somebody looks at all of it, or that has no end. */
export function isHostile(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch {
    return true;
  }
}
