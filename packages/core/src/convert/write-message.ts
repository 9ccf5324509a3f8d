import { CONVERSIONS } from '../dialects/conversions.ts';
import { fit } from '../dialects/conversion/fit.ts';
import { CODECS } from '../dialects/dialects.ts';
import type { Packed, Packing } from '../model/conversion.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Message } from '../model/part.ts';

/** Writes messages in the form of the target. */
export function writeMessages(messages: readonly Message[], target: Dialect, how: Packing): readonly Packed[] {
  const conversion = CONVERSIONS[target];
  const codec = CODECS[target];
  if (conversion.pack !== undefined) return conversion.pack(messages, how);
  return messages.flatMap((from) =>
    fit(from, conversion, how).map((entry) => ({
      wire: codec.write(entry),
      from,
      parts: entry.parts.filter(({ kind }) => kind !== conversion.beside),
    })),
  );
}
