import type { Abilities, Packed, Packing } from '../../model/conversion.ts';
import type { Message, Part } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { adapt } from './adapt.ts';
import { listIn, type Wire } from './keys.ts';

/** Who says something, in which message of the source. */
export type Speech = { readonly from: Message; readonly speaker: string };

/** How one dialect of items writes what it is given. */
export type ItemForm = {
  readonly can: Abilities;
  /** The key under which the pieces of a thought are listed. */
  readonly thoughtKey: string;
  /** A call, a result or a thought as an item of its own; undefined for what is said inside a message. */
  writeItem(part: Part, how: Packing): Wire | undefined;
  packSpoken(spoken: readonly Part[], speech: Speech, how: Packing): readonly Packed[];
};

/** Writes messages where every call and every result is an entry of its own. */
export function packItems(messages: readonly Message[], how: Packing, form: ItemForm): readonly Packed[] {
  return messages.flatMap((from) => {
    const { parts, role, developer } = adapt(from, form.can, how.lose);
    const speaker = role === 'tool' ? 'user' : developer === true ? 'developer' : role;
    const packed: Packed[] = [];
    let spoken: Part[] = [];
    const flush = (): void => {
      packed.push(...form.packSpoken(spoken, { from, speaker }, how));
      spoken = [];
    };
    for (const part of parts) {
      const wire = form.writeItem(part, how);
      if (wire === undefined) spoken.push(part);
      else if (spoken.length > 0 || !goesOn(packed, { part, wire }, form.thoughtKey)) {
        flush();
        packed.push({ wire, from, parts: [part] });
      }
    }
    flush();
    return packed;
  });
}

/** Adds a thought to the one before it, of which it is another piece. */
function goesOn(packed: Packed[], { part, wire }: { part: Part; wire: Wire }, key: string): boolean {
  const last = packed.at(-1);
  const before = last?.wire;
  if (last === undefined || !isRecord(before) || part.kind !== 'reasoning' || part.seal?.form !== 'reference')
    return false;
  if (before['type'] !== 'reasoning' || before['id'] !== part.seal.id) return false;
  const pieces = [...listIn(before, key), ...listIn(wire, key)];
  packed[packed.length - 1] = { ...last, wire: { ...before, [key]: pieces } };
  return true;
}
