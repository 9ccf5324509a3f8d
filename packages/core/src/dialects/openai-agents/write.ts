import type { CallPart, Message, Part, Piece, ResultPart, Role } from '../../model/part.ts';
import { isRecord, readableJson, withKeys } from '../../model/value.ts';
import { maybe } from '../conversion/keys.ts';
import { pieceText } from '../conversion/pieces.ts';
import { readableText } from '../salvage.ts';
import { isFunction, shapeOf, tagged, type Wire } from './shape.ts';

/** Writes an item; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const [only] = parts;
  if (only?.kind === 'call') return writeCall(only);
  if (only?.kind === 'result') return writeResult(only);
  if (only?.kind === 'reasoning') return only.wire ?? writeThought(parts);
  if (only?.kind === 'opaque' && isItem(only.wire, wire)) return only.wire;
  return writeMessage(message);
}

/** True for a part that is an item by itself and not a piece of a message. */
function isItem(part: unknown, message: unknown): boolean {
  return part === message || (isRecord(message) && shapeOf(message)?.reads === 'opaque');
}

function writeCall({ wire, edited, callId, tool, input, item }: CallPart): unknown {
  if (wire !== undefined && edited !== true) return wire;
  if (isRecord(wire) && !isFunction(wire)) return withKeys(wire, namedAs(wire, callId));
  return withKeys(wire, {
    type: 'function_call',
    ...maybe('id', item),
    callId,
    name: tool,
    arguments: typeof input === 'string' ? input : readableJson(input ?? {}),
    ...(wire === undefined ? { status: 'completed' } : {}),
  });
}

/** Searches may spell the id as the API does. */
function namedAs(wire: unknown, callId: string): Wire {
  const asApi = isRecord(wire) && String(wire['type']).startsWith('tool_search') && typeof wire['callId'] !== 'string';
  return asApi ? { call_id: callId } : { callId };
}

function writeResult({ wire, edited, callId, tool, outcome, text, pieces }: ResultPart): unknown {
  if (wire !== undefined) return edited === true ? withKeys(wire, namedAs(wire, callId)) : wire;
  const status = outcome === 'ok' ? 'completed' : 'incomplete';
  const output = pieces === undefined ? tagged('text', text) : writePieces(pieces);
  return { type: 'function_call_result', name: tool ?? '', callId, status, output };
}

/** What a tool returned: one text, or a list of what users send. */
function writePieces(pieces: readonly Piece[]): unknown {
  const [only] = pieces;
  if (only === undefined) return tagged('text', '');
  if (pieces.length === 1 && only.kind !== 'media') return tagged('text', pieceText(only));
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'media') return [tagged('input_text', pieceText(piece))];
    return piece.wire === undefined ? [] : [piece.wire];
  });
}

/** The pieces of one thought, of which the first has its seal. */
function writeThought(parts: readonly Part[]): Wire {
  const [first] = parts;
  const seal = first?.kind === 'reasoning' ? first.seal : undefined;
  const texts = parts.flatMap((part) => (part.kind === 'reasoning' && part.text !== '' ? [part.text] : []));
  const sealed = seal?.form === 'encrypted' ? { providerData: { encryptedContent: seal.value } } : {};
  return {
    type: 'reasoning',
    ...maybe('id', seal?.id),
    content: texts.map((text) => tagged('input_text', text)),
    ...sealed,
  };
}

function writeMessage({ role, parts, wire }: Message): unknown {
  const speaks = role === 'tool' || role === 'unreadable' ? 'user' : role;
  const own = isRecord(wire) && shapeOf(wire)?.reads === 'message' && shapeOf(wire)?.role === speaks ? wire : undefined;
  const content = writeContent(parts, speaks, own?.['content']);
  if (own !== undefined) return withKeys(own, { content });
  if (speaks !== 'assistant') return { role: speaks, content };
  const item = parts.find((part) => part.kind === 'text')?.item;
  return { type: 'message', ...maybe('id', item), role: 'assistant', status: 'completed', content };
}

function writeContent(parts: readonly Part[], role: Exclude<Role, 'unreadable'>, before: unknown): unknown {
  const [only] = parts;
  const plain = parts.length === 1 && only?.kind === 'text' && only.wire === undefined;
  if (role === 'system') return parts.map((part) => ('text' in part ? part.text : readableText(part.wire))).join('\n');
  if (plain && role === 'user' && !Array.isArray(before)) return only.text;
  return parts.map((part) => writePiece(part, role));
}

/** A piece of what somebody says. */
function writePiece(part: Part, role: Role): unknown {
  if ((part.wire !== undefined && part.edited !== true) || !('text' in part)) return part.wire;
  const refusal = part.kind === 'text' && part.refusal === true && part.wire === undefined;
  if (refusal && role === 'assistant') return { type: 'refusal', refusal: part.text };
  return withKeys(part.wire, tagged(role === 'assistant' ? 'output_text' : 'input_text', part.text));
}
