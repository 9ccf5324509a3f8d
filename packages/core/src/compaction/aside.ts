import type { Codec } from '../model/codec.ts';
import type { Part, Role } from '../model/part.ts';
import { readSafely } from '../model/read-safely.ts';
import { sameJson } from '../model/value.ts';

/** What a framework put beside the first words of the user, such as its own prompt; it would be lost with them. */
export function asideAt(
  list: readonly unknown[],
  first: number,
  { codec, role }: { readonly codec: Codec; readonly role: Role | undefined },
): readonly Part[] {
  if (role !== 'user' || codec.divide !== undefined) return [];
  return readSafely(codec, list[first], first).parts.filter(({ kind }) => kind === 'opaque');
}

/** A message with such parts in front of its own, but for those it has already; itself where there are none. */
export function withAside(wire: unknown, aside: readonly Part[], codec: Codec): unknown {
  if (aside.length === 0) return wire;
  const message = readSafely(codec, wire, -1);
  const carried = aside.filter((part) => !message.parts.some((own) => sameJson(own.wire, part.wire)));
  return carried.length === 0 ? wire : codec.write({ ...message, parts: [...carried, ...message.parts] });
}
