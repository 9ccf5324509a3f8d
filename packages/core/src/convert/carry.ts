import type { Dialect } from '../model/dialect.ts';
import { PROFILES } from '../dialects/profiles.ts';
import type { Codec } from '../model/codec.ts';
import type { CarriedMessage, ConversionLoss, Crossing, Lose } from '../model/crossing.ts';
import type { Profile } from '../model/profile.ts';
import { readSafely, salvageSafely } from '../model/read-safely.ts';
import { separate } from './separate.ts';

/** A message on the wire, its place in the list and its path in the input. */
type Placed = { readonly wire: unknown; readonly index: number; readonly path: string };

/** How a source is read; in some dialects every message of the assistant is a step of its own. */
export type Source = { readonly codec: Codec; readonly crossing: Crossing; readonly steps: Profile['step'] };

export function stepsOf(dialect: Dialect): Source['steps'] {
  return PROFILES[dialect](undefined).step;
}

/** Reads a message for a conversion; one in which nothing can be read is a loss. */
export function carry(
  { wire, index, path }: Placed,
  { codec, crossing, steps }: Source,
  lose: Lose,
): readonly CarriedMessage[] {
  const read = readSafely(codec, wire, index);
  const message = read.role === 'unreadable' ? salvageSafely(codec, wire, index) : read;
  const carried = message === undefined || message.role === 'unreadable' ? [] : crossing.unpack(message, path, lose);
  if (carried.length === 0) {
    lose({ at: { message: index }, path }, { kind: 'message', what: 'a message', why: 'nothing in it can be read' });
  }
  const [first, ...rest] = carried;
  if (steps === 'turn' || first?.role !== 'assistant') return carried.flatMap(separate);
  return [{ ...first, opens: true }, ...rest].flatMap(separate);
}

/** A list of losses, and the way to put one into it. */
export function keepLosses(): { readonly losses: ConversionLoss[]; readonly lose: Lose } {
  const losses: ConversionLoss[] = [];
  const lose: Lose = ({ at: { message, part }, path }, loss) => {
    const at = { message, ...(part === undefined ? {} : { part }), pointer: path };
    losses.push({ became: 'nothing', ...loss, at });
  };
  return { losses, lose };
}

/** What is lost around the list comes first, then message by message. */
export function inReadingOrder(losses: readonly ConversionLoss[]): readonly ConversionLoss[] {
  return losses.toSorted((a, b) => a.at.message - b.at.message);
}
