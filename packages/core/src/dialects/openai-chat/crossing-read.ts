import type { Lose, Spot } from '../../model/loss.ts';
import type { CallPart, Media, Message, Part, Piece, ResultPart, Seal, ReasoningPart } from '../../model/part.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { Aside } from './message.ts';
import { readableText } from '../salvage.ts';
import { inside, listIn, loseKeys, markOf, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { detailIn, fromUrl, mimeOfEnding } from '../conversion/media.ts';

const MAKER = 'openai';
/** Its files have their id beside their type, and mean nothing to others. */
const OTHER_MAKER = 'mistral';
const MESSAGE: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'refusal',
  'function_call',
  'audio',
  'reasoning_content',
  'reasoning',
  'reasoning_details',
]);
const CALL: ReadonlySet<string> = new Set(['id', 'type', 'function', 'custom', 'index', 'extra_content']);
const CALLEE: ReadonlySet<string> = new Set(['name', 'arguments', 'input']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text', 'cache_control']);

/** Reads what the codec has read of a message of the Chat Completions API, or of one of its relatives. */
export function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const fields: Wire = isRecord(wire) ? wire : {};
  const spot = { at: { message: at }, path };
  loseKeys(wire, MESSAGE, { spot, lose });
  // The name beside a result is that of its tool, and goes with the result.
  if (fields['role'] === 'function') return [{ at, path, role: 'tool', parts: [oldResult(fields, message, spot)] }];
  const common = { at, path, ...maybe('name', role === 'tool' ? undefined : nameOf(fields)) };
  const thoughts = role === 'assistant' ? thoughtsIn(fields, spot, lose) : [];
  const parts = message.parts.flatMap((part, i) => readParts(part, partSpot(message, i, spot), { lose, fields }));
  const spoken = { role, parts: [...thoughts, ...parts.filter((part) => !isNothing(part))], ...common };
  return [fields['role'] === 'developer' ? { ...spoken, developer: true } : spoken];
}

function nameOf({ name }: Wire): string | undefined {
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Answers that only call tools often come with an empty text, which is no part of what was said. */
function isNothing(part: Part): boolean {
  return part.kind === 'text' && part.text === '';
}

function partSpot({ wire, parts, at }: Message, index: number, spot: Spot): Spot {
  const place = { message: at, part: index };
  const part = parts[index];
  if (!isRecord(wire) || part?.kind === 'result') return { at: place, path: spot.path };
  if (part?.wire instanceof Aside) return { ...inside(spot, part.wire.key), at: place };
  if (part?.kind === 'call') {
    const first = parts.findIndex(({ kind }) => kind === 'call');
    return { ...inside(spot, 'tool_calls', index - first), at: place };
  }
  const own = Array.isArray(wire['content']) ? inside(spot, 'content', index) : inside(spot, 'content');
  return { ...own, at: place };
}

/** Reasoning stands in a field of its own, which each host has given another name. */
function thoughtsIn(fields: Wire, spot: Spot, lose: Lose): readonly Part[] {
  const key = typeof fields['reasoning_content'] === 'string' ? 'reasoning_content' : 'reasoning';
  const { [key]: text, reasoning_details: details } = fields;
  const here = inside(spot, key);
  const found: Part[] = typeof text === 'string' && text !== '' ? [{ ...thought(text), ...here }] : [];
  if (listIn(fields, 'reasoning_details').length > 0) {
    const why = 'only the host that gave it out can use it';
    lose(inside(spot, 'reasoning_details'), { kind: 'reasoning', what: readableJson(details).slice(0, 60), why });
  }
  return found;
}

/** The predecessor of results names its tool and no call. */
function oldResult(fields: Wire, { at }: Message, { path }: Spot): ResultPart {
  const pieces: Piece[] = [{ kind: 'text', text: readableText(fields['content']) }];
  const tool = nameOf(fields);
  return {
    kind: 'result',
    callId: '',
    ...maybe('tool', tool),
    outcome: 'ok',
    text: '',
    server: false,
    characters: 0,
    pieces,
    at: { message: at, part: 0 },
    path,
  };
}

function thought(text: string): ReasoningPart {
  return { kind: 'reasoning', text, sealed: false, characters: 0 };
}

type Reading = { readonly lose: Lose; readonly fields: Wire };

/** Reasoning may be told in several texts, of which each is a thought of its own. */
function readParts(part: Part, spot: Spot, reading: Reading): readonly Part[] {
  const pieces = part.kind === 'reasoning' ? listIn(part.wire, 'thinking') : [];
  const texts = pieces.flatMap((piece) => (isRecord(piece) ? (textOf(piece['text']) ?? []) : []));
  if (texts.length === 0 || texts.length < pieces.length) return [readPart(part, spot, reading)];
  return texts.map((text, i) => ({ ...thought(text), ...inside(spot, 'thinking', i) }));
}

function readPart(part: Part, spot: Spot, { lose, fields }: Reading): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      loseKeys(part.wire, TEXT, { spot, lose });
      return {
        ...part,
        ...maybe('cache', markOf(wire['cache_control'], inside(spot, 'cache_control'))),
        ...spot,
      };
    case 'call':
      return readCall(part, spot, lose);
    case 'result': {
      const pieces =
        part.wire === undefined ? [{ kind: 'text', text: part.text } as const] : readPieces(fields, spot, lose);
      return { ...part, ...maybe('tool', part.tool ?? nameOf(fields)), pieces, ...spot };
    }
    case 'reasoning':
      return { ...part, ...spot };
    case 'media':
      return readMedia(wire, spot, lose);
    case 'opaque':
      return part.wire instanceof Aside ? readAside(part.wire, spot) : readOther(wire, spot);
  }
}

function readAside({ key, value }: Aside, spot: Spot): Part {
  if (key === 'refusal') return { kind: 'text', text: String(value), characters: 0, refusal: true, ...spot };
  const wire: Wire = isRecord(value) ? value : {};
  if (key === 'audio') return { kind: 'opaque', characters: 0, what: `audio ${textOf(wire['id']) ?? ''}`, ...spot };
  const tool = textOf(wire['name']) ?? '';
  return { kind: 'call', callId: '', tool, input: wire['arguments'], server: false, characters: 0, ...spot };
}

function readOther(wire: Wire, spot: Spot): Part {
  const { type, refusal } = wire;
  if (type === 'refusal' && typeof refusal === 'string')
    return { kind: 'text', text: refusal, characters: 0, refusal: true, ...spot };
  const video = type === 'video_url' ? urlIn(wire['video_url']) : undefined;
  if (video !== undefined) return { kind: 'media', characters: 0, media: fromUrl(video, 'video'), ...spot };
  return { kind: 'opaque', characters: 0, what: textOf(type) ?? 'a piece that cannot be read', ...spot };
}

function readCall(part: CallPart, spot: Spot, lose: Lose): CallPart {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, CALL, { spot, lose });
  const free = wire['type'] === 'custom';
  const key = free ? 'custom' : 'function';
  loseKeys(wire[key], CALLEE, { spot: inside(spot, key), lose });
  return { ...part, ...(free ? { free } : {}), ...maybe('seal', sealOf(wire, spot)), ...spot };
}

/** The compatible layer of another provider keeps its signatures beside the call. */
function sealOf({ extra_content: extra }: Wire, spot: Spot): Seal | undefined {
  const google = isRecord(extra) ? extra['google'] : undefined;
  const value = isRecord(google) ? google['thought_signature'] : undefined;
  const { path } = inside(spot, 'extra_content', 'google', 'thought_signature');
  return typeof value === 'string' ? { maker: 'google', form: 'signature', value, path } : undefined;
}

function readPieces({ content }: Wire, spot: Spot, lose: Lose): readonly Piece[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (!Array.isArray(content))
    return content === undefined || content === null ? [] : [{ kind: 'json', value: content }];
  return (content as unknown[]).map((piece, i): Piece => {
    const own = inside(spot, 'content', i);
    const wire: Wire = isRecord(piece) ? piece : {};
    const { text } = wire;
    if (typeof text === 'string') {
      loseKeys(wire, TEXT, { spot: own, lose });
      return { kind: 'text', text };
    }
    const media = readMedia(wire, own, lose);
    if (media.kind !== 'media' || media.media === undefined) return { kind: 'json', value: piece };
    return { kind: 'media', media: { ...media.media, path: own.path } };
  });
}

function urlIn(value: unknown): string | undefined {
  return textOf(isRecord(value) ? value['url'] : value);
}

const IMAGE: ReadonlySet<string> = new Set(['url']);
const DETAILED_IMAGE: ReadonlySet<string> = new Set(['url', 'detail']);
const MEDIA: ReadonlySet<string> = new Set([
  'type',
  'image_url',
  'input_audio',
  'file',
  'file_id',
  'document_url',
  'document_name',
]);

function readMedia(wire: Wire, spot: Spot, lose: Lose): Part {
  const media = mediaOf(wire);
  if (media === undefined)
    return { kind: 'opaque', characters: 0, what: textOf(wire['type']) ?? 'media that cannot be read', ...spot };
  loseKeys(wire, MEDIA, { spot, lose });
  if (wire['type'] !== 'image_url') return { kind: 'media', characters: 0, media, ...spot };
  const own = inside(spot, 'image_url');
  const detail = detailIn(wire['image_url'], own);
  loseKeys(wire['image_url'], detail === undefined ? IMAGE : DETAILED_IMAGE, { spot: own, lose });
  return { kind: 'media', characters: 0, media: { ...media, ...maybe('detail', detail) }, ...spot };
}

function mediaOf(wire: Wire): Media | undefined {
  const { type, input_audio: audio, file, document_url: document, document_name: title } = wire;
  const image = type === 'image_url' ? urlIn(wire['image_url']) : undefined;
  if (image !== undefined) return fromUrl(image, 'image');
  if (type === 'document_url' && typeof document === 'string') {
    return { ...fromUrl(document, 'document'), ...maybe('name', textOf(title)) };
  }
  if (type === 'input_audio') return audioOf(audio);
  if (type !== 'file') return undefined;
  return isRecord(file) ? fileOf(file, MAKER) : fileOf(wire, OTHER_MAKER);
}

function audioOf(audio: unknown): Media | undefined {
  if (typeof audio === 'string')
    return /^https?:/.test(audio) ? fromUrl(audio, 'audio') : { type: 'audio', data: audio };
  const { data, format } = isRecord(audio) ? audio : {};
  if (typeof data !== 'string') return undefined;
  return {
    type: 'audio',
    data,
    ...maybe('mime', typeof format === 'string' ? mimeOfEnding(format, 'audio') : undefined),
  };
}

function fileOf({ file_data: data, file_id: id, filename }: Wire, maker: string): Media | undefined {
  const name = maybe('name', textOf(filename));
  if (typeof data === 'string') return { ...fromUrl(data, 'document'), ...name };
  return typeof id === 'string' ? { type: 'document', file: { maker, id }, ...name } : undefined;
}
