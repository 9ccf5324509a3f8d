import type { Abilities, Conversion, Packed, Packing } from '../../model/conversion.ts';
import type { Lose, Spot } from '../../model/loss.ts';
import type { CallPart, Media, Message, Part, Piece, ReasoningPart, ResultPart, Seal } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { adapt, asJsonText, OK_OR_ERROR } from '../conversion/adapt.ts';
import { pieceText, toPieces } from '../conversion/pieces.ts';
import { packItems, type Speech } from '../conversion/pack-items.ts';
import { inside, listIn, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { Noting } from '../../model/noting.ts';
import { loseEnds } from '../openai-responses/read.ts';
import { dataUrl, fromUrl, mimeOf, publicUrl, shown, typeOfMime } from '../conversion/media.ts';
import { systemTexts } from '../conversion/system-texts.ts';

const MAKER = 'openai';

const MESSAGE: ReadonlySet<string> = new Set(['type', 'role', 'content', 'status', 'id']);
const CALL: ReadonlySet<string> = new Set([
  'type',
  'id',
  'callId',
  'call_id',
  'name',
  'arguments',
  'action',
  'operation',
  'status',
]);
const RESULT: ReadonlySet<string> = new Set(['type', 'callId', 'call_id', 'name', 'output', 'status', 'id']);
const THOUGHT: ReadonlySet<string> = new Set(['type', 'id', 'content', 'rawContent', 'providerData']);
const SEALED: ReadonlySet<string> = new Set(['encryptedContent', 'encrypted_content']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text']);
const MEDIA: ReadonlySet<string> = new Set(['type', 'image', 'file', 'filename', 'audio', 'format', 'mediaType']);

const CAN: Abilities = {
  seals: ({ maker, form }) => maker === MAKER && (form === 'encrypted' || form === 'reference'),
  thoughts: true,
  server: () => false,
  outcomes: OK_OR_ERROR,
  refusals: true,
  items: true,
};

/** What crosses between the items of the OpenAI Agents SDK and others. */
export const openaiAgents: Conversion = {
  systemKey: 'instructions',
  settings: {},
  fields: new Set(['input', 'model', 'instructions']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, max: 128 },
  can: () => CAN,
  unpack,
  pack,
  system: ({ instructions }) => {
    if (typeof instructions !== 'string' || instructions === '') return [];
    return [{ kind: 'text', characters: 0, text: instructions, at: { message: -1 }, path: '/instructions' }];
  },
  withSystem: (parts, how) => {
    const [only] = parts;
    if (parts.length > 1 || only?.kind !== 'text') return undefined;
    adapt({ role: 'system', parts, at: -1, path: '' }, CAN, how.lose);
    return only.text;
  },
};

function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const spot = { at: { message: at }, path };
  const fields: Wire = isRecord(wire) ? wire : {};
  const spoken = fields['type'] === undefined || fields['type'] === 'message';
  if (spoken) loseKeys(fields, MESSAGE, { spot, lose });
  const listed = Array.isArray(fields['content']);
  const parts = message.parts.map((part, i) => {
    const own = spoken ? (listed ? inside(spot, 'content', i) : inside(spot, 'content')) : spot;
    return readPart(part, { ...own, at: { message: at, part: i } }, lose);
  });
  const said = parts.flatMap((part) => pieces(part, fields));
  return [{ role, parts: spoken ? withItem(said, fields, { spot, lose }) : said, at, path }];
}

/** Every piece of a thought is one of its own, and the first one carries the seal. */
function pieces(part: Part, fields: Wire): readonly Part[] {
  const id = part.kind === 'reasoning' ? part.seal?.id : undefined;
  const list = [...listIn(fields, 'content'), ...listIn(fields, 'rawContent')];
  const texts = list.flatMap((piece) => (isRecord(piece) ? (textOf(piece['text']) ?? []) : []));
  const [first, ...more] = texts;
  if (part.kind !== 'reasoning' || id === undefined || first === undefined) return [part];
  const seal = { maker: MAKER, form: 'reference', value: id, id } as const;
  return [{ ...part, text: first }, ...more.map((text) => ({ ...part, text, seal }))];
}

/** The first text of a message carries its id. */
function withItem(parts: readonly Part[], fields: Wire, { spot, lose }: { spot: Spot; lose: Lose }): readonly Part[] {
  const id = idOf(fields);
  const [first, ...rest] = parts;
  if (id === undefined) return parts;
  if (first?.kind === 'text') return [{ ...first, item: id, itemPath: inside(spot, 'id').path }, ...rest];
  lose(inside(spot, 'id'), { kind: 'id', what: `the item ${id}`, why: 'it is kept only by the provider that made it' });
  return parts;
}

function readPart(part: Part, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      loseKeys(part.wire, TEXT, { spot, lose });
      return { ...part, ...spot };
    case 'call':
      return readCall(part, spot, lose);
    case 'result':
      return readResult(part, spot, lose);
    case 'reasoning':
      return readThought(part.text, wire, { spot, lose });
    case 'media': {
      const media = mediaOf(wire);
      if (media !== undefined) loseKeys(wire, MEDIA, { spot, lose });
      return media === undefined
        ? { kind: 'opaque', characters: 0, what: 'media', ...spot }
        : { kind: 'media', characters: 0, media, ...spot };
    }
    case 'opaque': {
      const { type, refusal } = wire;
      if (type === 'refusal' && typeof refusal === 'string')
        return { kind: 'text', text: refusal, characters: 0, refusal: true, ...spot };
      return { kind: 'opaque', characters: 0, what: textOf(type) ?? 'an item that cannot be read', ...spot };
    }
  }
}

function readCall(part: CallPart, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, CALL, { spot, lose });
  const type = textOf(wire['type']) ?? 'function_call';
  if (type !== 'function_call') {
    lose(spot, { kind: 'call', what: type, became: 'other', why: 'elsewhere it is a call like any other' });
  }
  return { ...part, ...maybe('item', idOf(wire)), ...spot };
}

function readResult(part: ResultPart, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, RESULT, { spot, lose });
  const pieces = part.wire === undefined ? toPieces(part.text) : piecesOf(wire['output'], inside(spot, 'output'));
  return { ...part, pieces, ...spot };
}

/** A text, one piece, or a list of them. */
function piecesOf(output: unknown, spot: Spot): readonly Piece[] {
  const list: unknown[] = Array.isArray(output) ? output : [output];
  return list.flatMap((piece, i): readonly Piece[] => {
    if (!isRecord(piece)) return toPieces(piece).filter(({ kind }) => kind !== 'text' || piece !== '');
    if (typeof piece['text'] === 'string') return piece['text'] === '' ? [] : [{ kind: 'text', text: piece['text'] }];
    const media = mediaOf(piece);
    const { path } = list === output ? inside(spot, i) : spot;
    return [media === undefined ? { kind: 'json', value: piece } : { kind: 'media', media: { ...media, path } }];
  });
}

function readThought(text: string, wire: Wire, { spot, lose }: { spot: Spot; lose: Lose }): Part {
  loseKeys(wire, THOUGHT, { spot, lose });
  if (idOf(wire) === undefined && listIn(wire, 'content').length + listIn(wire, 'rawContent').length > 1)
    loseEnds(new Noting(spot, lose));
  loseKeys(wire['providerData'], SEALED, { spot: inside(spot, 'providerData'), lose });
  return { kind: 'reasoning', text, sealed: false, characters: 0, ...maybe('seal', sealOf(wire)), ...spot };
}

/** The framework writes this where there is no id. */
const NO_ID = 'FAKE_ID';

function idOf({ id }: Wire): string | undefined {
  return typeof id === 'string' && id !== NO_ID ? id : undefined;
}

function sealOf(wire: Wire): Seal | undefined {
  const { providerData: data } = wire;
  const id = idOf(wire);
  const value = isRecord(data) ? (data['encryptedContent'] ?? data['encrypted_content']) : undefined;
  if (typeof value === 'string') return { maker: MAKER, form: 'encrypted', value, ...maybe('id', id) };
  return id === undefined ? undefined : { maker: MAKER, form: 'reference', value: id, id };
}

/** Images, files and audio name their content by an address, by their data, or by an id. */
function mediaOf(wire: Wire): Media | undefined {
  const { type, image, file, audio, mediaType, format } = wire;
  const held = image ?? file ?? audio;
  const kind = String(type).includes('image') ? 'image' : type === 'audio' ? 'audio' : 'document';
  const fields: Wire = isRecord(held) ? held : {};
  const name = maybe('name', textOf(wire['filename'] ?? fields['filename']));
  const mime =
    textOf(mediaType ?? fields['mediaType']) ??
    (type === 'audio' && typeof format === 'string' ? `audio/${format}` : undefined);
  const address = textOf(held) ?? textOf(fields['url']);
  const sort = mime === undefined ? kind : typeOfMime(mime);
  if (address !== undefined)
    return {
      ...(type === 'audio' ? { type: sort, data: address, ...maybe('mime', mime) } : fromUrl(address, sort, mime)),
      ...name,
    };
  const data = textOf(fields['data']);
  if (data !== undefined) return { type: sort, data, ...maybe('mime', mime), ...name };
  const id = textOf(fields['id'] ?? fields['fileId']);
  return id === undefined ? undefined : { type: sort, file: { maker: MAKER, id }, ...name };
}

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  return packItems(messages, how, { can: CAN, thoughtKey: 'content', writeItem, packSpoken });
}

function writeItem(part: Part, how: Packing): Wire | undefined {
  if (part.kind === 'call') return writeCall(part);
  if (part.kind === 'result') return writeResult(part, how);
  return part.kind === 'reasoning' ? writeThought(part) : undefined;
}

function writeCall({ callId: id, tool, input, item }: CallPart): Wire {
  const named = { type: 'function_call', ...maybe('id', item), callId: id, name: tool };
  return { ...named, status: 'completed', arguments: asJsonText(input) };
}

function writeResult(part: ResultPart, how: Packing): Wire {
  const { callId: id, tool, outcome, pieces = [] } = part;
  const [only] = pieces;
  const plain = only === undefined || (pieces.length === 1 && only.kind !== 'media');
  const text = { type: 'text', text: only === undefined ? '' : pieceText(only) };
  const output = plain ? text : pieces.flatMap((piece) => writePiece(piece, part, how));
  const status = outcome === 'error' ? 'incomplete' : 'completed';
  return { type: 'function_call_result', name: tool ?? '', callId: id, status, output };
}

function writePiece(piece: Piece, part: ResultPart, how: Packing): readonly Wire[] {
  if (piece.kind !== 'media') return [{ type: 'input_text', text: pieceText(piece) }];
  return shown(part, piece.media, { wire: writeMedia(piece.media), why: NO_MEDIA, lose: how.lose });
}

const NO_MEDIA = 'the target takes no such media';

function writeThought({ text, seal }: ReasoningPart): Wire {
  const content = text === '' ? [] : [{ type: 'input_text', text }];
  const sealed = seal?.form === 'encrypted' ? { providerData: { encryptedContent: seal.value } } : {};
  return { type: 'reasoning', ...maybe('id', seal?.id), content, ...sealed };
}

function packSpoken(spoken: readonly Part[], { from, speaker }: Speech, how: Packing): readonly Packed[] {
  if (speaker === 'system') {
    const texts = systemTexts(spoken, how.lose);
    return texts.map((part) => ({ wire: { role: 'system', content: part.text }, from, parts: [part] }));
  }
  const written = spoken.map((part) => ({ part, wires: writeSpoken(part, speaker, how) }));
  const content = written.flatMap(({ wires }) => wires);
  if (content.length === 0) return [];
  const parts = written.flatMap(({ part, wires }) => wires.map(() => part));
  if (speaker === 'assistant') {
    const item = spoken.flatMap((part) => (part.kind === 'text' ? [part.item] : []))[0];
    const wire = { type: 'message', ...maybe('id', item), role: 'assistant', status: 'completed', content };
    return [{ wire, from, parts }];
  }
  const [only] = content;
  const plain = content.length === 1 && only?.['type'] === 'input_text';
  return [{ wire: { role: 'user', content: plain ? only['text'] : content }, from, parts }];
}

function writeSpoken(part: Part, speaker: string, how: Packing): readonly Wire[] {
  if (part.kind === 'text') {
    if (part.refusal === true && speaker === 'assistant') return [{ type: 'refusal', refusal: part.text }];
    return [{ type: speaker === 'assistant' ? 'output_text' : 'input_text', text: part.text }];
  }
  if (part.kind !== 'media') return [];
  const wire = speaker === 'user' ? part.media && writeMedia(part.media) : undefined;
  const why = speaker === 'user' ? NO_MEDIA : 'only users show media there';
  return shown(part, part.media, { wire, why, lose: how.lose });
}

function writeMedia(media: Media): Wire | undefined {
  const { type, file, name, data } = media;
  const kept = file?.maker === MAKER ? { id: file.id } : undefined;
  const address = publicUrl(media) ?? dataUrl(media);
  if (type === 'image') {
    const image = kept ?? address;
    return image === undefined ? undefined : { type: 'input_image', image };
  }
  if (type === 'audio' && data !== undefined) {
    return { type: 'audio', audio: data, format: mimeOf(media).split('/')[1] ?? 'wav' };
  }
  if (type !== 'document') return undefined;
  const held = kept ?? (publicUrl(media) === undefined ? address : { url: address });
  return held === undefined ? undefined : { type: 'input_file', file: held, ...maybe('filename', name) };
}
