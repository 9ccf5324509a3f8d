import type { CallPart, Message, Part, Piece, ReasoningPart, ResultPart, TextPart } from '../../model/part.ts';
import { isBlank, isRecord, withKeys } from '../../model/value.ts';
import { pieceText } from '../conversion/pieces.ts';
import { maybe, timeOf } from '../conversion/keys.ts';
import { isCamelResult } from './read.ts';

type Wire = Record<string, unknown>;

/** Writes a message; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  const [only] = parts;
  if (isPlain(message) && parts.length === 1 && only?.kind === 'text' && only.wire === undefined && !only.cache) {
    return withKeys(wire, { role, content: only.text });
  }
  return withKeys(wire, { role, content: parts.map(writePart) });
}

/** One text needs no list in a message that came without one, or that comes from another dialect. */
function isPlain({ wire, path }: Message): boolean {
  return wire === undefined ? path !== undefined : isRecord(wire) && typeof wire['content'] === 'string';
}

/** A part as it came, its fields over its wire if they were edited, or all of it if it was never in this form. */
export function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      return writeText(part);
    case 'reasoning':
      return part.wire ?? writeReasoning(part);
    case 'call':
      return writeCall(part);
    case 'result':
      return writeResult(part);
    default:
      return part.wire;
  }
}

function writeText({ wire, text, cache }: TextPart): unknown {
  if (wire !== undefined) return withKeys(wire, { type: 'text', text });
  // What we write ourselves has the shape of what a parser makes, so that whatever reads it stays compiled.
  if (cache === undefined) return { type: 'text', text };
  return { type: 'text', text, cache_control: { type: 'ephemeral', ...timeOf(cache) } };
}

function writeReasoning({ text, seal }: ReasoningPart): Wire {
  if (seal?.form === 'redacted') return { type: 'redacted_thinking', data: seal.value };
  return { type: 'thinking', thinking: text, signature: seal?.value ?? '' };
}

function writeCall({ wire, callId: id, tool: name, input, server }: CallPart): unknown {
  const type = server && wire === undefined ? 'server_tool_use' : 'tool_use';
  return withKeys(wire, { type, id, name, input });
}

function writeResult(part: ResultPart): unknown {
  const { wire, callId, outcome, text, pieces } = part;
  if (wire !== undefined) {
    const spelled = isRecord(wire) && isCamelResult(wire) ? { toolUseId: undefined } : {};
    return withKeys(wire, { type: 'tool_result', tool_use_id: callId, ...spelled });
  }
  if (part.server) return writeServerResult(part);
  const content = pieces === undefined ? text : writePieces(pieces);
  const failed = outcome === 'ok' ? {} : { is_error: true };
  return { type: 'tool_result', tool_use_id: callId, ...maybe('content', content), ...failed };
}

/** Every search for tools has results of one type. */
function writeServerResult({ callId, tool = 'unknown', text, pieces = [{ kind: 'text', text }] }: ResultPart): Wire {
  const [only] = pieces;
  const type = tool.startsWith('tool_search_tool') ? 'tool_search_tool_result' : `${tool}_tool_result`;
  return { type, tool_use_id: callId, content: only?.kind === 'json' ? only.value : pieces.map(pieceText).join('\n') };
}

function writePieces(pieces: readonly Piece[]): unknown {
  const [only] = pieces;
  if (only === undefined) return undefined;
  if (pieces.length === 1 && only.kind !== 'media') return pieceText(only);
  const written = pieces.flatMap((piece) => {
    if (piece.kind === 'media') return piece.wire === undefined ? [] : [piece.wire];
    const text = pieceText(piece);
    return isBlank(text) ? [] : [{ type: 'text', text }];
  });
  return written.length === 0 ? undefined : written;
}
