import type { Lose, Spot } from '../../model/loss.ts';
import type { CallPart, Media, Message, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { inside, listIn, loseKeys, markOf, maybe, textOf, type Wire } from '../crossing/keys.ts';

/** Who signs the reasoning of this dialect. */
export const MAKER = 'anthropic';

const MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text', 'cache_control']);
const CALL: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input', 'cache_control']);
const RESULT: ReadonlySet<string> = new Set(['type', 'tool_use_id', 'content', 'is_error', 'cache_control']);
const MEDIA: ReadonlySet<string> = new Set(['type', 'source', 'title', 'cache_control']);
const SOURCE: ReadonlySet<string> = new Set(['type', 'media_type', 'data', 'url', 'file_id']);

/** Reads what the codec has read of a message. */
export function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  if (message.role === 'unreadable') return [];
  const { role, at, wire } = message;
  const spot = { at: { message: at }, path };
  loseKeys(wire, MESSAGE, { spot, lose });
  const plain = isRecord(wire) && typeof wire['content'] === 'string';
  const parts = message.parts.map((part, i) => {
    const own = plain ? inside(spot, 'content') : inside(spot, 'content', i);
    return readPart(part, { ...own, at: { message: at, part: i } }, lose);
  });
  return [{ role, parts, at, path }];
}

/** Reads a part, also one of the system field. */
export function readPart(part: Part, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      loseKeys(wire, TEXT, { spot, lose });
      return {
        ...part,
        ...maybe('cache', markOf(wire['cache_control'], inside(spot, 'cache_control'))),
        ...spot,
      };
    case 'reasoning':
      return { ...part, ...maybe('seal', sealOf(wire)), ...spot };
    case 'call':
      return readCall(part, spot, lose);
    case 'result':
      return readResult(part, spot, lose);
    case 'media':
      return readMedia(wire, spot, lose);
    case 'opaque':
      return { kind: 'opaque', characters: 0, what: whatIs(wire), ...maybe('text', readableParts(wire)), ...spot };
  }
}

function whatIs(wire: Wire): string {
  return textOf(wire['type']) ?? 'a part that cannot be read';
}

/** Results of a search that were given by the user are texts with a source. */
function readableParts(wire: Wire): string | undefined {
  const texts = listIn(wire, 'content').flatMap((piece) => (isRecord(piece) ? (textOf(piece['text']) ?? []) : []));
  return texts.length === 0 ? undefined : texts.join('\n');
}

function sealOf(wire: Wire): Seal | undefined {
  const { signature, data } = wire;
  if (typeof signature === 'string' && signature !== '') return { maker: MAKER, form: 'signature', value: signature };
  return typeof data === 'string' && data !== '' ? { maker: MAKER, form: 'redacted', value: data } : undefined;
}

function loseCache(wire: Wire, spot: Spot, lose: Lose): void {
  if (!isRecord(wire['cache_control'])) return;
  const why = 'such a part carries no marker in the target';
  lose(inside(spot, 'cache_control'), { kind: 'key', what: 'a cache marker', why });
}

function readCall(part: CallPart, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, CALL, { spot, lose });
  loseCache(wire, spot, lose);
  return { ...part, ...(part.server ? { runner: runnerOf(wire) } : {}), ...spot };
}

/** Tools of another server that the provider called are not its own. */
function runnerOf(wire: Wire): string {
  return String(wire['type']).startsWith('mcp_') ? `${MAKER}-mcp` : MAKER;
}

function readResult(part: ResultPart, spot: Spot, lose: Lose): ResultPart {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseCache(wire, spot, lose);
  const common = { ...part, ...spot };
  loseKeys(wire, RESULT, { spot, lose });
  if (part.server) return { ...common, runner: runnerOf(wire), pieces: serverPieces(wire) };
  if (part.wire === undefined) return { ...common, pieces: [{ kind: 'text', text: part.text }] };
  return { ...common, pieces: piecesOf(wire['content'], inside(spot, 'content'), lose) };
}

/** What the provider's own tools return has forms of its own. */
function serverPieces(wire: Wire): readonly Piece[] {
  const { content } = wire;
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return content === undefined ? [] : [{ kind: 'json', value: content }];
}

function piecesOf(content: unknown, spot: Spot, lose: Lose): readonly Piece[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content))
    return content === undefined || content === null ? [] : [{ kind: 'json', value: content }];
  return (content as unknown[]).map((piece, i) => readPiece(piece, inside(spot, i), lose));
}

function readPiece(piece: unknown, spot: Spot, lose: Lose): Piece {
  const wire: Wire = isRecord(piece) ? piece : {};
  const { type, text } = wire;
  if (type === 'text' && typeof text === 'string') {
    loseKeys(wire, TEXT, { spot, lose });
    loseCache(wire, spot, lose);
    return { kind: 'text', text };
  }
  if (type === 'image' || type === 'document') {
    const part = readMedia(wire, spot, lose);
    if (part.kind === 'media' && part.media !== undefined)
      return { kind: 'media', media: { ...part.media, path: spot.path } };
  }
  const what = typeof type === 'string' ? type : 'a piece that cannot be read';
  lose(spot, { kind: 'part', what, became: 'text', why: 'only its own dialect has it' });
  return { kind: 'text', text: readableParts(wire) ?? readableJson(piece) };
}

function readMedia(wire: Wire, spot: Spot, lose: Lose): Part {
  loseKeys(wire, MEDIA, { spot, lose });
  loseCache(wire, spot, lose);
  const { source, title } = wire;
  const type = wire['type'] === 'image' ? 'image' : 'document';
  const media = isRecord(source) ? mediaOf(source, type) : undefined;
  if (media === undefined)
    return { kind: 'opaque', characters: 0, what: type, ...maybe('text', sourceText(source)), ...spot };
  loseKeys(source, SOURCE, { spot: inside(spot, 'source'), lose });
  return { kind: 'media', characters: 0, media: { ...media, ...maybe('name', textOf(title)) }, ...spot };
}

function sourceText(source: unknown): string | undefined {
  const content = isRecord(source) ? source['content'] : undefined;
  return typeof content === 'string' ? content : readableParts({ content });
}

function mediaOf(source: Wire, type: 'image' | 'document'): Media | undefined {
  const { data, url, file_id: file } = source;
  const mime = maybe('mime', textOf(source['media_type']));
  if (source['type'] === 'text') return typeof data === 'string' ? { type, text: data, ...mime } : undefined;
  if (typeof data === 'string') return { type, data, ...mime };
  if (typeof url === 'string') return { type, url, ...mime };
  return typeof file === 'string' ? { type, file: { maker: MAKER, id: file }, ...mime } : undefined;
}
