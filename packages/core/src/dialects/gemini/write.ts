import type { CallPart, Message, Outcome, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { parseJson } from '../conversion/adapt.ts';
import { maybe } from '../conversion/keys.ts';
import { resultText } from '../conversion/pieces.ts';
import { responsePieces, roleOf } from './read.ts';
import { dataKey, partsIn, wireId } from './shape.ts';

type Wire = Record<string, unknown>;

/** Writes a content; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, wire } = message;
  if (role === 'unreadable') return wire;
  const parts = message.parts.map(writePart);
  const own = isRecord(wire) ? wire : undefined;
  const single = parts.length === 1 && isRecord(own?.['parts']) && parts[0] === own['parts'];
  const none = parts.length === 0 && own !== undefined && partsIn(own) === undefined;
  const changes = single || none ? {} : { parts };
  if (own !== undefined && roleOf(own['role']) === role) return withKeys(own, changes);
  return withKeys(own, { role: role === 'assistant' ? 'model' : role === 'system' ? 'system' : 'user', ...changes });
}

/** A part as it came, its fields over its wire if they were edited, or all of it if it was never in this form. */
export function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      return withKeys(part.wire, { text: part.text, ...signatureFor(part) });
    case 'reasoning':
      return withKeys(part.wire, { text: part.text, thought: true, ...signatureFor(part) });
    case 'call':
      return writeInner(part, 'functionCall', { name: part.tool, args: part.input });
    case 'result':
      return writeInner(part, 'functionResponse', writtenResult(part));
    default:
      return part.wire;
  }
}

function signatureFor({ seal }: { readonly seal?: Seal }): Wire {
  return maybe('thoughtSignature', seal?.value);
}

/** Writes fields into the object that holds a call or a result, under the spelling it came with. */
function writeInner(part: CallPart | ResultPart, usual: string, fields: Wire): unknown {
  const { wire } = part;
  const key = (isRecord(wire) ? dataKey(wire) : usual) ?? usual;
  const id = wireId(part.callId);
  const inner = isRecord(wire) ? wire[key] : undefined;
  const written = withKeys(inner, id === undefined ? fields : { id, ...fields });
  return withKeys(wire, { [key]: written, ...(part.kind === 'call' ? signatureFor(part) : {}) });
}

function writtenResult(part: ResultPart): Wire {
  const { wire, tool: name = '', text, outcome, pieces } = part;
  if (wire !== undefined) return { name };
  if (pieces === undefined) return { name, response: outcome === 'ok' ? { result: text } : { error: text } };
  const parts = pieces.flatMap((piece) => (piece.kind === 'media' ? (piece.wire ?? []) : []));
  return { name, response: responseOf(pieces, outcome), ...(parts.length === 0 ? {} : { parts }) };
}

function responseOf(pieces: readonly Piece[], outcome: Outcome): Wire {
  const said = pieces.filter((piece) => piece.kind !== 'media');
  const [only] = said;
  const values = said.map((piece) => (piece.kind === 'json' ? piece.value : piece.text));
  // A list is read as several pieces only where there is a text in it.
  const listed = said.length > 1 && said.some((piece) => piece.kind === 'text');
  if (outcome !== 'ok') return { error: listed ? values : resultText(said) };
  if (only === undefined) return {};
  if (said.length > 1) return { result: listed ? values : resultText(said) };
  return objectOf(only) ?? { result: resultText(said) };
}

/** JSON that comes back as it was: only then is it worth more than its text. */
function objectOf(piece: Piece): Wire | undefined {
  if (piece.kind === 'json') return isRecord(piece.value) ? piece.value : undefined;
  if (piece.kind === 'media' || !piece.text.startsWith('{')) return undefined;
  const value = parseJson(piece.text);
  if (!isRecord(value) || JSON.stringify(value) !== piece.text) return undefined;
  return responsePieces(value)[0]?.kind === 'json' ? value : undefined;
}
