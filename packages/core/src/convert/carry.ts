import type { Dialect } from '../model/dialect.ts';
import { PROFILES } from '../dialects/profiles.ts';
import type { Codec } from '../model/codec.ts';
import type { Conversion } from '../model/conversion.ts';
import type { ConversionLoss, Lose } from '../model/loss.ts';
import type { Message } from '../model/part.ts';
import type { Profile } from '../model/profile.ts';
import { readSafely, salvageSafely } from '../model/read-safely.ts';
import { separate } from './separate.ts';

/** A message on the wire, its place in the list and its path in the input. */
type Placed = { readonly wire: unknown; readonly index: number; readonly path: string };

/** How a source is read; in some dialects every message of the assistant is a step of its own. */
export type Source = { readonly codec: Codec; readonly crossing: Conversion; readonly steps: Profile['step'] };

export function stepsOf(dialect: Dialect): Source['steps'] {
  return PROFILES[dialect](undefined).step;
}

/** Reads a message for a conversion; one in which nothing can be read is a loss. */
export function carry(
  { wire, index, path }: Placed,
  { codec, crossing, steps }: Source,
  lose: Lose,
): readonly Message[] {
  const read = readSafely(codec, wire, index);
  const message = read.role === 'unreadable' ? salvageSafely(codec, wire, index) : read;
  const carried = message === undefined || message.role === 'unreadable' ? [] : crossing.unpack(message, path, lose);
  if (carried.length === 0) {
    lose({ at: { message: index }, path }, { kind: 'message', what: 'a message', why: 'nothing in it can be read' });
  }
  const [first, ...rest] = carried.map(withoutWire);
  if (first === undefined) return [];
  const own = steps === 'turn' || first.role !== 'assistant' ? first : { ...first, opens: true };
  return [own, ...rest].flatMap(separate);
}

/** What came in one dialect is written anew in another. */
function withoutWire(message: Message): Message {
  const parts = message.parts.map(({ wire: _wire, edited: _edited, ...part }) => part);
  return { ...message, parts };
}

/** A list of losses, and the way to put one into it. */
export function keepLosses(): { readonly losses: ConversionLoss[]; readonly lose: Lose } {
  const losses: ConversionLoss[] = [];
  const lose: Lose = ({ at: place, path = '' }, loss) => {
    const { message, part } = place ?? { message: -1 };
    const at = { message, ...(part === undefined ? {} : { part }), pointer: path };
    losses.push({ became: 'nothing', ...loss, at });
  };
  return { losses, lose };
}

/** What is lost around the list comes first, then message by message. */
export function inReadingOrder(losses: readonly ConversionLoss[]): readonly ConversionLoss[] {
  return losses.toSorted((a, b) => a.at.message - b.at.message);
}
