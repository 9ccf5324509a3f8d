import type { CallPart, Message, Part, Piece, ReasoningPart, ResultPart } from '../../model/part.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { isBlank, isRecord, withKeys } from '../../model/value.ts';
import { piecesOf, pieceText } from '../conversion/pieces.ts';

type Wire = Record<string, unknown>;

/** Writes a message; parts that were not edited go out as they came. */
export function write({ role, parts, wire }: Message): unknown {
  return role === 'unreadable' ? wire : withKeys(wire, { role, content: parts.map(writePart) });
}

/** A part as it came, its fields over its wire if they were edited, or all of it if it was never in this form. */
export function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      return withKeys(part.wire, { text: part.text });
    case 'reasoning':
      return part.wire ?? { reasoningContent: writeReasoning(part) };
    case 'call':
      return writeCall(part);
    case 'result':
      return writeResult(part);
    default:
      return part.wire;
  }
}

function writeReasoning({ text, seal }: ReasoningPart): Wire {
  return seal?.form === 'redacted'
    ? { redactedContent: seal.value }
    : { reasoningText: { text, signature: seal?.value ?? '' } };
}

function writeCall({ wire, callId: toolUseId, tool: name, input }: CallPart): Wire {
  return withKeys(wire, { toolUse: withKeys(innerOf(wire, 'toolUse'), { toolUseId, name, input }) });
}

function innerOf(wire: unknown, key: 'toolUse' | 'toolResult'): unknown {
  return isRecord(wire) ? wire[key] : undefined;
}

function writeResult(part: ResultPart): Wire {
  const { wire, callId: toolUseId, pieces } = part;
  if (wire === undefined) return { toolResult: { toolUseId, content: writeContent(part), ...statusOf(part) } };
  const said = pieces === undefined ? {} : { content: writeContent(part) };
  return withKeys(wire, { toolResult: withKeys(innerOf(wire, 'toolResult'), { toolUseId, ...said }) });
}

/** Success goes without saying in a result that we made ourselves. */
function statusOf({ outcome, pieces }: ResultPart): Wire {
  if (outcome !== 'ok') return { status: 'error' };
  return pieces === undefined ? {} : { status: 'success' };
}

/** An error has to say something; any other result may be empty, but not hold an empty text. */
function writeContent(part: ResultPart): readonly unknown[] {
  const content = piecesOf(part).flatMap(writePiece);
  return content.length === 0 && part.outcome !== 'ok' ? [{ text: TEXTS.separator }] : content;
}

function writePiece(piece: Piece): readonly unknown[] {
  if (piece.kind === 'media') return piece.wire === undefined ? [] : [piece.wire];
  if (piece.kind === 'json' && isRecord(piece.value)) return [{ json: piece.value }];
  const text = pieceText(piece);
  return isBlank(text) ? [] : [{ text }];
}
