import { idText } from '../../model/call-id.ts';
import { placed, type Noting } from '../../model/noting.ts';
import type { CallPart, Message, Part, Piece, Place, ResultPart, Seal } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { charactersOf, isBlank, isRecord, readableJson } from '../../model/value.ts';
import { hasCallsBeside } from '../calls-beside.ts';
import { markOf, maybe, textOf } from '../conversion/keys.ts';
import { charactersElsewhere, saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { salvageable, strangerCharacters } from '../salvage.ts';
import { loseCache, MAKER, readableParts, readMedia } from './media.ts';

type Wire = Record<string, unknown>;

/** Keys that a conversion makes something of. */
const MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text', 'cache_control']);
const CALL: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input', 'cache_control']);
const RESULT: ReadonlySet<string> = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']);

/** Reads one wire message. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  const role = isRecord(wire) ? wire['role'] : undefined;
  const content = isRecord(wire) ? wire['content'] : undefined;
  const known = role === 'user' || role === 'assistant' || role === 'system';
  const beside = role === 'assistant' && hasCallsBeside(wire as Wire);
  if (!known || beside || (typeof content !== 'string' && !Array.isArray(content))) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (content.length === 0 && saysElsewhere(wire as Wire, 'content')) {
    return unreadMessage(wire as Wire, index, charactersElsewhere(wire as Wire, 'content'));
  }
  noting?.loseKeys(wire, MESSAGE);
  if (typeof content !== 'string')
    return { role, parts: readParts(content as unknown[], index, noting), wire, at: index };
  const only = textPart(content, content.length, { message: index, part: 0 });
  return { role, parts: content === '' ? [] : [placed(only, noting?.part(0, 'content'))], wire, at: index };
}

/** True for a message that has a content with nothing in it. */
export function isMute(content: unknown): boolean {
  return content === '' || (Array.isArray(content) && content.length === 0);
}

/** Reads the parts of a message, whoever speaks. */
export function readParts(content: readonly unknown[], index: number, noting?: Noting): Part[] {
  const parts: Part[] = [];
  // A list may have holes, which are parts that say nothing.
  for (let part = 0; part < content.length; part += 1) {
    const own = noting?.part(part, 'content', part);
    parts.push(placed(readPart(content[part], { message: index, part }, own), own));
  }
  return parts;
}

/** Reads a part, also one of the system field. */
export function readPart(wire: unknown, at: Place, noting?: Noting): Part {
  if (!isRecord(wire)) return readOther(wire, at, noting);
  const type = wire['type'];
  switch (type) {
    case 'text':
      return typeof wire['text'] === 'string'
        ? readText(wire as { text: string }, at, noting)
        : { ...readOther(wire, at, noting), characters: strangerCharacters(wire) };
    case 'thinking':
    case 'redacted_thinking':
      return readReasoning(wire, at, noting);
    case 'image':
    case 'document':
      return noting === undefined
        ? { kind: 'media', wire, at, characters: charactersOf(wire['source']) }
        : readMedia(wire, noting);
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readCall(wire, at, noting);
    default:
      return typeof type === 'string' && type.endsWith('tool_result')
        ? readResult(wire, at, noting)
        : readOther(wire, at, noting);
  }
}

function readOther(wire: unknown, at: Place, noting: Noting | undefined): Part {
  const part = { kind: 'opaque', wire, at, characters: charactersOf(wire) } as const;
  if (noting === undefined) return part;
  const type = isRecord(wire) ? textOf(wire['type']) : undefined;
  return { ...part, what: type ?? 'a part that cannot be read', ...maybe('text', readableParts(wire)) };
}

function readText(wire: Wire & { text: string }, at: Place, noting: Noting | undefined): Part {
  const { text } = wire;
  if (noting === undefined) return { kind: 'text', text, wire, at, characters: text.length };
  noting.loseKeys(wire, TEXT);
  const cache = markOf(wire['cache_control'], noting.inside('cache_control'));
  return { kind: 'text', text, wire, at, characters: text.length, ...maybe('cache', cache) };
}

function readReasoning(wire: Wire, at: Place, noting: Noting | undefined): Part {
  const text = typeof wire['thinking'] === 'string' ? wire['thinking'] : '';
  const seal = wire['type'] === 'thinking' ? wire['signature'] : wire['data'];
  const sealed = typeof seal === 'string' && !isBlank(seal);
  const part = { kind: 'reasoning', text, sealed, wire, at, characters: charactersOf(wire['thinking']) } as const;
  return noting === undefined ? part : { ...part, ...maybe('seal', sealOf(wire)) };
}

function sealOf({ signature, data }: Wire): Seal | undefined {
  if (typeof signature === 'string' && signature !== '') return { maker: MAKER, form: 'signature', value: signature };
  return typeof data === 'string' && data !== '' ? { maker: MAKER, form: 'redacted', value: data } : undefined;
}

function readCall(wire: Wire, at: Place, noting: Noting | undefined): CallPart {
  const server = wire['type'] !== 'tool_use';
  const tool = typeof wire['name'] === 'string' ? wire['name'] : '';
  const input = wire['input'];
  const characters = charactersOf(input) + (server ? 0 : charactersOf(wire['name']));
  const part = {
    kind: 'call',
    callId: idText(wire['id']) ?? '',
    tool,
    input,
    server,
    wire,
    at,
    characters,
  } as const;
  if (noting === undefined) return part;
  noting.loseKeys(wire, CALL);
  loseCache(wire, noting);
  return server ? { ...part, runner: runnerOf(wire) } : part;
}

/** Tools of another server that the provider called are not its own. */
function runnerOf(wire: Wire): string {
  return String(wire['type']).startsWith('mcp_') ? `${MAKER}-mcp` : MAKER;
}

/** The id of the call that a result answers; some clients spell its key in camel case. */
export function resultIdOf({ tool_use_id: id, toolUseId }: Wire): string | undefined {
  return idText(id ?? toolUseId);
}

/** True for a result that names its call under the other spelling alone. */
export function isCamelResult({ type, tool_use_id: id, toolUseId }: Wire): boolean {
  return type === 'tool_result' && (id ?? undefined) === undefined && idText(toolUseId) !== undefined;
}

function readResult(wire: Wire, at: Place, noting: Noting | undefined): ResultPart {
  const server = wire['type'] !== 'tool_result';
  const content = wire['content'];
  const text =
    typeof content === 'string' ? content : Array.isArray(content) ? joinTexts(content) : readableJson(content);
  const outcome = wire['is_error'] === true ? 'error' : 'ok';
  const characters = server ? charactersOf(wire) : resultCharacters(content);
  const part = {
    kind: 'result',
    callId: resultIdOf(wire) ?? '',
    outcome,
    text,
    server,
    wire,
    at,
    characters,
  } as const;
  if (noting === undefined) return part;
  loseCache(wire, noting);
  noting.loseKeys(wire, RESULT);
  if (server) return { ...part, runner: runnerOf(wire), pieces: serverPieces(content) };
  return { ...part, pieces: readPieces(content, noting.inside('content')) };
}

function resultCharacters(content: unknown): number {
  if (!Array.isArray(content)) return charactersOf(content);
  let count = 0;
  for (const piece of content as unknown[]) {
    count += charactersOf(isRecord(piece) && piece['type'] === 'text' ? piece['text'] : piece);
  }
  return count;
}

function joinTexts(content: readonly unknown[]): string {
  return content
    .map((piece) => (isRecord(piece) && typeof piece['text'] === 'string' ? piece['text'] : readableJson(piece)))
    .join('\n');
}

/** What the provider's own tools return has forms of its own. */
function serverPieces(content: unknown): readonly Piece[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return content === undefined ? [] : [{ kind: 'json', value: content }];
}

function readPieces(content: unknown, noting: Noting): readonly Piece[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [{ kind: 'json', value: content }];
  return (content as unknown[]).map((piece, i) => readPiece(piece, noting.inside(i)));
}

function readPiece(piece: unknown, noting: Noting): Piece {
  const wire: Wire = isRecord(piece) ? piece : {};
  const { type, text } = wire;
  if (type === 'text' && typeof text === 'string') {
    noting.loseKeys(wire, TEXT);
    loseCache(wire, noting);
    return { kind: 'text', text };
  }
  const shown = type === 'image' || type === 'document' ? readMedia(wire, noting) : undefined;
  if (shown?.kind === 'media' && shown.media !== undefined)
    return { kind: 'media', media: { ...shown.media, path: noting.path } };
  const what = typeof type === 'string' ? type : 'a piece that cannot be read';
  noting.lose({ kind: 'part', what, became: 'text', why: 'only its own dialect has it' });
  return { kind: 'text', text: readableParts(wire) ?? readableJson(piece) };
}
