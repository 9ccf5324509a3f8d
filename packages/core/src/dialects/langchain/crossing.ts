import type { Abilities, Conversion, Packed, Packing } from '../../model/conversion.ts';
import type { Lose, Spot } from '../../model/loss.ts';
import type { CallPart, Media, Message, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { callList, echoesOf } from './calls.ts';
import { contentKey, fieldsOf, fieldsPath, strangerIn } from './form.ts';
import { placesIn, thoughtIn } from './message.ts';
import { adapt, objectInput, OK_OR_ERROR } from '../conversion/adapt.ts';
import { pieceText, toPieces } from '../conversion/pieces.ts';
import { inside, listIn, loseKeys, markOf, maybe, textOf, timeOf, type Wire } from '../conversion/keys.ts';
import { base64Of, fromUrl, mimeOf, publicUrl, shown, typeOfMime } from '../conversion/media.ts';

/** Signatures are kept in the form of their maker; other seals have no place of their own. */
const CAN: Abilities = {
  seals: ({ maker }, on) => maker === 'anthropic' && on === 'reasoning',
  thoughts: true,
  server: () => false,
  outcomes: OK_OR_ERROR,
  caches: true,
  names: true,
};

const FIELDS: ReadonlySet<string> = new Set([
  'lc',
  'type',
  'role',
  'content',
  'content_blocks',
  'name',
  'tool_calls',
  'tool_call_id',
  'status',
  'getType',
  '_getType',
  // What an object of the framework is made of says nothing that its other keys do not.
  'lc_kwargs',
  'lc_namespace',
  'lc_serializable',
  'lc_direct_tool_output',
]);
const CALL: ReadonlySet<string> = new Set(['id', 'type', 'name', 'args', 'input', 'function', 'index']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text', 'cache_control', 'index']);
const THOUGHT: ReadonlySet<string> = new Set(['type', 'thinking', 'reasoning', 'text', 'signature', 'data', 'index']);
/** What is read of a thought that is there as its summary alone. */
const SUMMED: ReadonlySet<string> = new Set([...THOUGHT, 'summary']);

/** What crosses between the messages of LangChain and others. */
export const langchain: Conversion = {
  settings: {},
  fields: new Set(['messages', 'model']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, max: 128 },
  can: () => CAN,
  unpack,
  pack,
};

function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const fields: Wire = isRecord(wire) ? fieldsOf(wire) : {};
  const base = isRecord(wire) ? fieldsPath(wire) : '';
  const key = isRecord(wire) ? contentKey(wire) : 'content';
  const spot = { at: { message: at }, path: path + base };
  loseKeys(fields, FIELDS, { spot, lose });
  if (isRecord(wire)) loseSpeaker(wire, spot, lose);
  const places = role === 'tool' ? [] : placesIn(fields, role, key);
  const parts = message.parts.map((part, i) => {
    const own = { at: { message: at, part: i }, path: spot.path + (places[i] ?? '') };
    return readPart(part, own, { lose, fields, path: spot.path, key });
  });
  if (role === 'assistant') loseCopies(fields, inside(spot, key), lose);
  const name = role === 'tool' ? undefined : textOf(fields['name']);
  return [{ role, parts, at, path, ...maybe('name', name === '' ? undefined : name) }];
}

/** A generic message may say that anybody speaks; others know only those who take part in a conversation. */
function loseSpeaker(wire: Wire, spot: Spot, lose: Lose): void {
  const speaker = strangerIn(wire);
  if (speaker === undefined) return;
  const why = 'the target has no such role';
  lose(inside(spot, 'role'), { kind: 'key', what: `role: ${speaker}`, why });
}

/** Some providers list a call among the content as well. */
function loseCopies(fields: Wire, spot: Spot, lose: Lose): void {
  const isEcho = echoesOf(callList(fields));
  for (const [i, piece] of listIn(fields, 'content').entries()) {
    if (!isEcho(piece)) continue;
    const why = 'the call itself is carried';
    lose(inside(spot, i), { kind: 'part', what: 'a copy of a call', became: 'other', why });
  }
}

type Reading = { readonly lose: Lose; readonly fields: Wire; readonly path: string; readonly key: string };

function readPart(part: Part, spot: Spot, { lose, fields, path, key }: Reading): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      loseKeys(part.wire, TEXT, { spot, lose });
      return {
        ...part,
        ...maybe('cache', markOf(wire['cache_control'], inside(spot, 'cache_control'))),
        ...spot,
      };
    case 'reasoning':
      loseKeys(wire, wire['summary'] === thoughtIn(wire) ? SUMMED : THOUGHT, { spot, lose });
      return { ...part, ...maybe('seal', sealOf(wire)), ...spot };
    case 'call': {
      loseKeys(wire, CALL, { spot, lose });
      return { ...part, ...spot };
    }
    case 'result':
      return readResult(part, fields, { spot: { at: spot.at, path }, lose, key });
    case 'media': {
      const media = mediaOf(wire);
      if (media !== undefined) loseKeys(wire, MEDIA, { spot, lose });
      return media === undefined
        ? { kind: 'opaque', characters: 0, what: 'media', ...spot }
        : { kind: 'media', characters: 0, media, ...spot };
    }
    case 'opaque':
      return { kind: 'opaque', characters: 0, what: textOf(wire['type']) ?? 'a piece that cannot be read', ...spot };
  }
}

function sealOf({ signature, data }: Wire): Seal | undefined {
  if (typeof signature === 'string' && signature !== '')
    return { maker: 'anthropic', form: 'signature', value: signature };
  return typeof data === 'string' ? { maker: 'anthropic', form: 'redacted', value: data } : undefined;
}

type Place = { readonly spot: Spot; readonly lose: Lose; readonly key: string };

function readResult(part: ResultPart, fields: Wire, { spot, lose, key }: Place): Part {
  const { content } = fields;
  const listed = Array.isArray(content) && content.some((piece) => isRecord(piece));
  const pieces =
    part.wire === undefined
      ? toPieces(part.text)
      : listed
        ? readPieces(content as unknown[], inside(spot, key), lose)
        : toPieces(content);
  return {
    ...part,
    pieces: pieces.filter((piece) => piece.kind !== 'text' || piece.text !== ''),
    ...spot,
  };
}

function readPieces(content: readonly unknown[], spot: Spot, lose: Lose): readonly Piece[] {
  return content.map((piece, i): Piece => {
    const wire: Wire = isRecord(piece) ? piece : {};
    const own = inside(spot, i);
    if (typeof piece === 'string') return { kind: 'text', text: piece };
    if (typeof wire['text'] === 'string') {
      loseKeys(wire, TEXT, { spot: own, lose });
      return { kind: 'text', text: wire['text'] };
    }
    const media = mediaOf(wire);
    if (media !== undefined) loseKeys(wire, MEDIA, { spot: own, lose });
    return media === undefined
      ? { kind: 'json', value: piece }
      : { kind: 'media', media: { ...media, path: own.path } };
  });
}

const MEDIA: ReadonlySet<string> = new Set([
  'type',
  'image_url',
  'source',
  'source_type',
  'url',
  'data',
  'mime_type',
  'mimeType',
  'filename',
  'file',
  'input_audio',
  'metadata',
  'index',
]);

const KINDS: ReadonlySet<unknown> = new Set(['image', 'audio', 'video']);

/** The framework's own form, or that of whichever provider the history was meant for. */
function mediaOf(wire: Wire): Media | undefined {
  const { type, image_url: image, source, url, data, file } = wire;
  const mime = textOf(wire['mime_type'] ?? wire['mimeType']);
  const kind = KINDS.has(type) ? (type as Media['type']) : typeOfMime(mime ?? '');
  const name = maybe(
    'name',
    textOf(wire['filename']) ?? (isRecord(wire['metadata']) ? textOf(wire['metadata']['filename']) : undefined),
  );
  const address = textOf(isRecord(image) ? image['url'] : image);
  if (address !== undefined) return fromUrl(address, 'image');
  if (isRecord(source)) return mediaOf({ ...source, type, mime_type: source['media_type'] });
  if (typeof data === 'string')
    return {
      ...(data.startsWith('data:') ? fromUrl(data, kind, mime) : { type: kind, data, ...maybe('mime', mime) }),
      ...name,
    };
  if (typeof url === 'string') return { ...fromUrl(url, kind, mime), ...name };
  const inline = isRecord(file) ? textOf(file['file_data']) : undefined;
  return inline === undefined ? undefined : { ...fromUrl(inline, 'document'), ...name };
}

const TYPES: Readonly<Record<string, string>> = { user: 'human', assistant: 'ai', system: 'system' };

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  return messages.flatMap((from): Packed[] => {
    const message = adapt(from, CAN, how.lose);
    const results = message.parts.filter((part) => part.kind === 'result');
    const rest = message.parts.filter((part) => part.kind !== 'result');
    const tools = results.map((part) => ({ wire: writeResult(part, how), from, parts: [part] }));
    const role = message.role === 'tool' ? 'user' : message.role;
    const spoken = packSpoken({ ...message, role, parts: rest }, from, how);
    return message.role === 'assistant' ? [...spoken, ...tools] : [...tools, ...spoken];
  });
}

function packSpoken(message: Message, from: Message, how: Packing): readonly Packed[] {
  const { parts, role, name } = message;
  const calls = parts.filter((part) => part.kind === 'call');
  const written = parts.filter((part) => part.kind !== 'call').map((part) => ({ part, wires: writePiece(part, how) }));
  const content = written.flatMap(({ wires }) => wires);
  if (content.length + calls.length === 0 && from.parts.length > 0) return [];
  const [only] = content;
  const plain = content.length === 1 && only?.['type'] === 'text' && Object.keys(only).length === 2;
  const said = plain ? only['text'] : content.length === 0 ? '' : content;
  const called = calls.length === 0 ? {} : { tool_calls: calls.map((part) => writeCall(part, how)) };
  const wire = { type: TYPES[role], content: said, ...maybe('name', name), ...called };
  return [{ wire, from, parts: [...written.flatMap(({ part, wires }) => wires.map(() => part)), ...calls] }];
}

function writeCall(part: CallPart, how: Packing): Wire {
  return { name: part.tool, args: objectInput(part, how.lose), id: part.callId, type: 'tool_call' };
}

function writePiece(part: Part, how: Packing): readonly Wire[] {
  switch (part.kind) {
    case 'text':
      return [
        {
          type: 'text',
          text: part.text,
          ...maybe('cache_control', part.cache && { type: 'ephemeral', ...timeOf(part.cache) }),
        },
      ];
    case 'reasoning':
      return [writeThought(part.text, part.seal)];
    case 'media':
      return shown(part, part.media, { wire: part.media && writeMedia(part.media), why: NO_MEDIA, lose: how.lose });
    default:
      return [];
  }
}

const NO_MEDIA = 'the target takes no such media';

function writeThought(text: string, seal: Seal | undefined): Wire {
  if (seal === undefined) return { type: 'reasoning', reasoning: text };
  if (seal.form === 'redacted') return { type: 'redacted_thinking', data: seal.value };
  return { type: 'thinking', thinking: text, signature: seal.value };
}

function writeResult(part: ResultPart, how: Packing): Wire {
  const { callId: id, tool, outcome, pieces = [] } = part;
  const [only] = pieces;
  const plain = only === undefined || (pieces.length === 1 && only.kind !== 'media');
  const written = plain
    ? only === undefined
      ? ''
      : pieceText(only)
    : pieces.flatMap((piece) => resultPiece(piece, part, how));
  const named = tool === undefined || tool === '' ? {} : { name: tool };
  const content = Array.isArray(written) && written.length === 0 ? '' : written;
  return { type: 'tool', content, tool_call_id: id, ...named, ...(outcome === 'error' ? { status: 'error' } : {}) };
}

function resultPiece(piece: Piece, part: ResultPart, how: Packing): readonly Wire[] {
  if (piece.kind !== 'media') return [{ type: 'text', text: pieceText(piece) }];
  return shown(part, piece.media, { wire: writeMedia(piece.media), why: NO_MEDIA, lose: how.lose });
}

/** The framework's own form of media. */
function writeMedia(media: Media): Wire | undefined {
  const type = media.type === 'document' ? 'file' : media.type;
  const named = media.name === undefined ? {} : { metadata: { filename: media.name } };
  const url = publicUrl(media);
  if (url !== undefined) return { type, source_type: 'url', url, ...maybe('mime_type', media.mime), ...named };
  const data = base64Of(media);
  return data === undefined ? undefined : { type, source_type: 'base64', mime_type: mimeOf(media), data, ...named };
}
