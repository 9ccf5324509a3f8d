import type { CallPart, Message, Part, Piece, ResultPart } from '../../model/part.ts';
import { isRecord, readableJson, withKeys } from '../../model/value.ts';
import { maybe } from '../conversion/keys.ts';
import { pieceText } from '../conversion/pieces.ts';
import { isNamed, shapeOf, type Wire } from './shape.ts';

/** Writes an entry; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const [only] = parts;
  if (only?.kind === 'call') return writeCall(only);
  if (only?.kind === 'result') return writeResult(only);
  if (only?.kind === 'reasoning') return only.wire ?? writeThought(parts);
  return only !== undefined && isWhole(only, wire) ? only.wire : writeMessage(message);
}

/** True for a part that is an entry of the list by itself and not a piece of one. */
function isWhole(part: Part, wire: unknown): boolean {
  if (part.kind !== 'opaque' || !isRecord(part.wire)) return false;
  return part.wire === wire || (isRecord(wire) && shapeOf(wire)?.reads === 'opaque');
}

function writeCall({ wire, edited, callId, tool, input, free, item }: CallPart): unknown {
  if (wire !== undefined && edited !== true) return wire;
  if (isRecord(wire) && !isNamed(wire)) return withKeys(wire, { call_id: callId });
  const custom = free === true || (isRecord(wire) && wire['type'] === 'custom_tool_call');
  return withKeys(wire, {
    type: custom ? 'custom_tool_call' : 'function_call',
    ...maybe('id', item),
    call_id: callId,
    name: tool,
    [custom ? 'input' : 'arguments']: typeof input === 'string' ? input : readableJson(input ?? {}),
  });
}

function writeResult({ wire, edited, callId, free, text, pieces }: ResultPart): unknown {
  if (wire !== undefined) return edited === true ? withKeys(wire, { call_id: callId }) : wire;
  const type = free === true ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: callId, output: pieces === undefined ? text : writePieces(pieces) };
}

function writePieces(pieces: readonly Piece[]): unknown {
  const [only] = pieces;
  if (only === undefined) return '';
  return pieces.length === 1 && only.kind !== 'media' ? pieceText(only) : listPieces(pieces);
}

/** What a tool returned as a list of what users send. */
function listPieces(pieces: readonly Piece[]): readonly unknown[] {
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'media') return [{ type: 'input_text', text: pieceText(piece) }];
    return piece.wire === undefined ? [] : [piece.wire];
  });
}

/** The pieces of one thought, of which the first has its seal. */
function writeThought(parts: readonly Part[]): Wire {
  const [first] = parts;
  const seal = first?.kind === 'reasoning' ? first.seal : undefined;
  const texts = parts.flatMap((part) => (part.kind === 'reasoning' && part.text !== '' ? [part.text] : []));
  const sealed = seal?.form === 'encrypted' ? { encrypted_content: seal.value } : {};
  const summary = texts.map((text) => ({ type: 'summary_text', text }));
  return { type: 'reasoning', ...maybe('id', seal?.id), summary, ...sealed };
}

function writeMessage(message: Message): unknown {
  const { role, parts, wire, developer } = message;
  const own = isRecord(wire) && shapeOf(wire)?.reads === 'message' ? wire : undefined;
  const before = own?.['content'];
  const content = writeContent(message, before);
  const speaks = role === 'tool' ? 'user' : role;
  if (own === undefined || shapeOf(own)?.role !== speaks) {
    const item = parts.find((part) => part.kind === 'text')?.item;
    const kept = item === undefined ? {} : { type: 'message', id: item, status: 'completed' };
    return { ...kept, role: developer === true ? 'developer' : speaks, content };
  }
  return isSame(before, content) ? own : withKeys(own, { content });
}

function isSame(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after;
  return before.length === after.length && before.every((each, index) => each === after[index]);
}

function writeContent({ role, parts, path }: Message, before: unknown): unknown {
  const [only] = parts;
  if (only === undefined) return Array.isArray(before) ? [] : before;
  if (parts.length === 1 && !Array.isArray(before)) {
    // What an assistant of another dialect has said is told in full.
    const short = role !== 'assistant' || path === undefined;
    if (only.kind === 'text' && only.wire === undefined && short) return only.text;
    if (only.wire !== undefined && only.wire === before) return before;
  }
  return parts.map((part) => writePiece(part, role));
}

/** A piece of what somebody says. */
function writePiece(part: Part, role: Message['role']): unknown {
  if ((part.wire !== undefined && part.edited !== true) || !('text' in part)) return part.wire;
  const refusal = part.kind === 'text' && part.refusal === true && part.wire === undefined;
  if (refusal && role === 'assistant') return { type: 'refusal', refusal: part.text };
  return withKeys(part.wire, { type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text });
}
