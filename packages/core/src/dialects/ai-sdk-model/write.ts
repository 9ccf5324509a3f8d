import type { CallPart, Message, Outcome, Part, Piece, ResultPart, Seal, TextPart } from '../../model/part.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { maybe, timeOf } from '../conversion/keys.ts';
import { pieceText, resultText } from '../conversion/pieces.ts';
import { readableText } from '../salvage.ts';
import type { Options } from './shape.ts';

type Wire = Record<string, unknown>;

/** Writes a message; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'text' && only.wire === undefined && isPlain(message, only)) {
    return withKeys(wire, { role, content: only.text });
  }
  if (role === 'system') return withKeys(wire, { role, content: parts.map(systemText).join('\n') });
  return withKeys(wire, { role, content: parts.map(writePart) });
}

/** One text needs no list in a message that came without one, or that a user of another dialect sent. */
function isPlain({ role, wire, path }: Message, only: TextPart): boolean {
  if (wire !== undefined) return isRecord(wire) && typeof wire['content'] === 'string';
  return path !== undefined && role === 'user' && writeOptions(only) === undefined;
}

/** A system message of this dialect is one text. */
function systemText(part: Part): string {
  return 'text' in part ? part.text : readableText(part.wire);
}

/** A part as it came, its fields over its wire if they were edited, or all of it if it was never in this form. */
function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
    case 'reasoning': {
      const options = maybe('providerOptions', writeOptions(part));
      return withKeys(part.wire, { type: part.kind, text: part.text, ...options });
    }
    case 'call':
      return writeCall(part);
    case 'result':
      return writeResult(part);
    default:
      return part.wire;
  }
}

function writeCall(part: CallPart): unknown {
  const { wire, callId, tool, input, server } = part;
  return withKeys(wire, {
    type: 'tool-call',
    toolCallId: callId,
    toolName: tool,
    input,
    ...(isRecord(wire) && wire['input'] === undefined ? { args: undefined } : {}),
    ...(server ? { providerExecuted: true } : {}),
    ...maybe('providerOptions', writeOptions(part)),
  });
}

function writeResult({ wire, callId, tool = '', outcome, text, pieces }: ResultPart): unknown {
  const named = tool === '' && pieces === undefined ? {} : { toolName: tool };
  if (wire !== undefined) return withKeys(wire, { type: 'tool-result', toolCallId: callId, ...named });
  // What we say in place of a result is no denial, whatever it stands for.
  const said = { type: outcome === 'ok' ? 'text' : 'error-text', value: text };
  const output = pieces === undefined ? said : writeOutput(pieces, outcome);
  return { type: 'tool-result', toolCallId: callId, ...named, output };
}

/** The output of a tool in the form that the framework has for it. */
function writeOutput(pieces: readonly Piece[], outcome: Outcome): Wire {
  const [only] = pieces;
  const json = pieces.length === 1 && only?.kind === 'json';
  if (outcome === 'denied') return { type: 'execution-denied', reason: resultText(pieces) };
  if (outcome === 'error')
    return json ? { type: 'error-json', value: only.value } : { type: 'error-text', value: resultText(pieces) };
  if (json) return { type: 'json', value: only.value };
  if (only === undefined || (pieces.length === 1 && only.kind === 'text'))
    return { type: 'text', value: resultText(pieces) };
  return { type: 'content', value: pieces.flatMap(writePiece) };
}

function writePiece(piece: Piece): readonly unknown[] {
  if (piece.kind !== 'media') return [{ type: 'text', text: pieceText(piece) }];
  return piece.wire === undefined ? [] : [piece.wire];
}

/** Options that carry a seal, a mark or an id; none where there is nothing to carry. */
export function writeOptions({ seal, cache, item }: Options): Wire | undefined {
  const options: Record<string, Wire> = {};
  if (seal !== undefined) options[seal.maker] = { ...options[seal.maker], ...writeSeal(seal) };
  if (cache !== undefined)
    options['anthropic'] = { ...options['anthropic'], cacheControl: { type: 'ephemeral', ...timeOf(cache) } };
  if (item !== undefined) options['openai'] = { ...options['openai'], itemId: item };
  return Object.keys(options).length === 0 ? undefined : options;
}

function writeSeal({ maker, form, value, id }: Seal): Wire {
  if (form === 'redacted') return { redactedData: value };
  if (form === 'encrypted') return { ...maybe('itemId', id), reasoningEncryptedContent: value };
  if (form === 'reference') return { itemId: value };
  return maker === 'google' ? { thoughtSignature: value } : { signature: value };
}
