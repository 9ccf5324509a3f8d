import { CONVERSIONS } from '../dialects/conversions.ts';
import { piecesOf } from '../dialects/conversion/pieces.ts';
import { CODECS } from '../dialects/dialects.ts';
import { PROFILES } from '../dialects/profiles.ts';
import type { Codec } from '../model/codec.ts';
import type { Dialect } from '../model/dialect.ts';
import type { Lose, Spot } from '../model/loss.ts';
import { Noting } from '../model/noting.ts';
import type { Message, Part } from '../model/part.ts';
import { mend } from '../model/value.ts';

/** A message on the wire, its place in the list and its path in the input. */
type Standing = { readonly wire: unknown; readonly index: number; readonly path: string };

/** Reads a message for a conversion; one in which nothing can be read is a loss. */
export function readMessage({ wire, index, path }: Standing, source: Dialect, lose: Lose): readonly Message[] {
  const spot = { at: { message: index }, path };
  let noted: Parameters<Lose>[] = [];
  const read = (value: unknown): readonly Message[] => {
    noted = [];
    return readNoted(value, source, { spot, lose: (...loss) => noted.push(loss) });
  };
  let said: readonly Message[];
  try {
    said = read(wire);
  } catch {
    said = read(mend(wire));
  }
  for (const loss of noted) lose(...loss);
  if (said.length === 0) lose(spot, { kind: 'message', what: 'a message', why: 'nothing in it can be read' });
  return opened(said.map(withoutWire), source).flatMap(separate);
}

type Hearing = { readonly spot: Spot; readonly lose: Lose };

function readNoted(wire: unknown, source: Dialect, { spot, lose }: Hearing): readonly Message[] {
  const conversion = CONVERSIONS[source];
  const codec = CODECS[source];
  const { message: index } = spot.at;
  const noting = conversion.unpack === undefined ? new Noting(spot, lose) : undefined;
  const read = codec.read(wire, index, noting);
  const salvaged = read.role === 'unreadable' ? codec.salvage(wire, index) : read;
  if (salvaged === undefined || salvaged.role === 'unreadable') return [];
  if (conversion.unpack !== undefined) return conversion.unpack(salvaged, spot.path, lose);
  const message = salvaged === read ? read : readAgain(salvaged, codec, { spot, lose });
  return conversion.unfold?.(message, new Noting(spot, lose)) ?? [{ ...message, path: spot.path }];
}

/** What was made of a message in no shape of its dialect is read again, now that it has one, to note all of it. */
function readAgain(message: Message, codec: Codec, { spot, lose }: Hearing): Message {
  const { role, at, wire } = message;
  const noting = new Noting(spot, lose);
  const read = wire === undefined ? undefined : codec.read(wire, at, noting);
  const whole = read?.role === 'unreadable' ? undefined : read;
  // Calls that stood beside the content are not in it, and have no place in it.
  const kept = new Set(message.parts.map((part) => part.at?.part));
  // What the system says is one text in some dialects, and does not tell what it was made of.
  const speaker = role === 'system' ? 'user' : role;
  const parts = message.parts.flatMap((part, i): readonly Part[] => {
    if (whole !== undefined && part.at?.part !== undefined) return [];
    if (part.wire === undefined) {
      const said = part.kind === 'result' ? { ...part, pieces: piecesOf(part) } : part;
      return [{ ...said, at: { message: at, part: i }, path: spot.path + codec.pointer(wire, i) }];
    }
    const entry = codec.write({ role: speaker, parts: [part], at });
    return codec.read(entry, at, noting.only(i, codec.pointer(wire, i))).parts;
  });
  return whole === undefined
    ? { ...message, parts }
    : { ...whole, parts: [...whole.parts.filter((part) => kept.has(part.at?.part)), ...parts] };
}

/** In some dialects every message of the assistant is a step of its own. */
function opened(said: readonly Message[], source: Dialect): readonly Message[] {
  const [first, ...rest] = said;
  if (first?.role !== 'assistant' || PROFILES[source](undefined).step === 'turn') return said;
  return [{ ...first, opens: true }, ...rest];
}

/** What came in one dialect is written anew in another. */
export function withoutWire({ wire: _wire, ...message }: Message): Message {
  return { ...message, parts: message.parts.map(({ wire: _own, edited: _edited, ...part }) => part) };
}

type Run = Message & { readonly parts: Part[] };

/** A message as messages that any dialect has a place for: assistants call, and nobody answers in the same breath. */
function separate(message: Message): readonly Message[] {
  const { role, parts, at, path = '' } = message;
  if (parts.every((part) => speakerOf(part, role) === role)) return [message];
  const runs: Run[] = [];
  for (const part of parts) {
    const speaker = speakerOf(part, role);
    const last = runs.at(-1);
    if (last?.role === speaker) last.parts.push(part);
    else runs.push(speaker === role ? { ...message, parts: [part] } : { role: speaker, parts: [part], at, path });
  }
  return runs;
}

/** What the provider ran itself is answered where it was called. */
function speakerOf(part: Part, role: Message['role']): Message['role'] {
  if (part.kind === 'call') return 'assistant';
  const misplaced = part.kind === 'result' && !part.server && (role === 'assistant' || role === 'system');
  return misplaced ? 'tool' : role;
}
