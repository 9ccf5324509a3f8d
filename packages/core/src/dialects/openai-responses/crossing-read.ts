import type { Lose, Spot } from '../../model/loss.ts';
import type { CallPart, Media, Message, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isSilent } from '../../model/noting.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { outputOf } from './items.ts';
import { toPieces } from '../conversion/pieces.ts';
import { inside, listIn, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { detailIn, fromUrl, mimeOfEnding } from '../conversion/media.ts';

export const MAKER = 'openai';

const MESSAGE: ReadonlySet<string> = new Set(['type', 'role', 'content', 'status', 'id']);
const CALL: ReadonlySet<string> = new Set(['type', 'id', 'call_id', 'name', 'arguments', 'input', 'status']);
const OTHER_CALL: ReadonlySet<string> = new Set([
  'type',
  'id',
  'call_id',
  'arguments',
  'action',
  'operation',
  'status',
]);
const RESULT: ReadonlySet<string> = new Set(['type', 'call_id', 'output', 'tools', 'status']);
const THOUGHT: ReadonlySet<string> = new Set(['type', 'id', 'summary', 'content', 'encrypted_content', 'status']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text', 'logprobs']);
const MEDIA: ReadonlySet<string> = new Set([
  'type',
  'image_url',
  'file_id',
  'file_data',
  'file_url',
  'filename',
  'input_audio',
]);
const DETAILED_MEDIA: ReadonlySet<string> = new Set([...MEDIA, 'detail']);

/** Reads what the codec has read of one entry. */
export function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const spot = { at: { message: at }, path };
  const fields: Wire = isRecord(wire) ? wire : {};
  const spoken = fields['type'] === undefined || fields['type'] === 'message';
  if (spoken) loseKeys(fields, MESSAGE, { spot, lose });
  const parts = message.parts.map((part, i) => {
    const place = { message: at, part: i };
    const own =
      Array.isArray(fields['content']) && spoken ? inside(spot, 'content', i) : spoken ? inside(spot, 'content') : spot;
    return readPart(part, { ...own, at: place }, lose);
  });
  const said = parts.flat();
  const carried = { role, parts: spoken ? withItem(said, fields, { spot, lose }) : said, at, path };
  return [fields['role'] === 'developer' && spoken ? { ...carried, developer: true } : carried];
}

/** The first text of a message carries its id. */
function withItem(parts: readonly Part[], fields: Wire, { spot, lose }: { spot: Spot; lose: Lose }): readonly Part[] {
  const { id } = fields;
  const [first, ...rest] = parts;
  if (typeof id !== 'string') return parts;
  if (first?.kind === 'text') return [{ ...first, item: id, itemPath: inside(spot, 'id').path }, ...rest];
  lose(inside(spot, 'id'), { kind: 'id', what: `the item ${id}`, why: 'it is kept only by the provider that made it' });
  return parts;
}

function readPart(part: Part, spot: Spot, lose: Lose): readonly Part[] {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      loseKeys(part.wire, TEXT, { spot, lose });
      return [{ ...part, ...spot }];
    case 'call':
      return [readCall(part, spot, lose)];
    case 'result':
      return [readResult(part, spot, lose)];
    case 'reasoning':
      return readThought(wire, spot, lose);
    case 'media':
      return [readMedia(wire, spot, lose)];
    case 'opaque':
      return readOther(wire, spot, lose);
  }
}

function readCall(part: CallPart, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  const type = textOf(wire['type']) ?? 'function_call';
  const item = maybe('item', textOf(wire['id']));
  if (type === 'function_call' || type === 'custom_tool_call') {
    loseKeys(wire, CALL, { spot, lose });
    const free = type === 'custom_tool_call' ? { free: true } : {};
    return { ...part, ...free, ...item, ...spot };
  }
  loseKeys(wire, OTHER_CALL, { spot, lose });
  lose(spot, { kind: 'call', what: type, became: 'other', why: 'elsewhere it is a call like any other' });
  return { ...part, tool: type.replace(/_call$/, ''), ...item, ...spot };
}

function readResult(part: ResultPart, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, RESULT, { spot, lose });
  const free = wire['type'] === 'custom_tool_call_output' ? { free: true } : {};
  const pieces = part.wire === undefined ? toPieces(part.text) : piecesOf(outputOf(wire), inside(spot, 'output'), lose);
  return { ...part, pieces, ...free, ...spot };
}

function piecesOf(output: unknown, spot: Spot, lose: Lose): readonly Piece[] {
  if (output === '') return [];
  if (
    !Array.isArray(output) ||
    !output.some((piece) => String(isRecord(piece) && piece['type']).startsWith('input_'))
  ) {
    return toPieces(output);
  }
  return (output as unknown[]).map((piece, i): Piece => {
    const own = inside(spot, i);
    const wire: Wire = isRecord(piece) ? piece : {};
    if (typeof wire['text'] === 'string') {
      loseKeys(wire, TEXT, { spot: own, lose });
      return { kind: 'text', text: wire['text'] };
    }
    const media = readMedia(wire, own, lose);
    if (media.kind !== 'media' || media.media === undefined) return { kind: 'json', value: piece };
    return { kind: 'media', media: { ...media.media, path: own.path } };
  });
}

/** Every piece of a summary is a thought of its own, and the first one carries the seal. */
function readThought(wire: Wire, spot: Spot, lose: Lose): readonly Part[] {
  loseKeys(wire, THOUGHT, { spot, lose });
  const pieces = [...listIn(wire, 'summary'), ...listIn(wire, 'content')];
  const texts = pieces.flatMap((piece) => (isRecord(piece) ? (textOf(piece['text']) ?? []) : []));
  const seal = sealOf(wire);
  const { id } = seal ?? {};
  if (id === undefined && texts.length > 1) loseEnds(spot, lose);
  if (id === undefined) return [{ ...THOUGHT_PART, text: texts.join('\n\n'), ...maybe('seal', seal), ...spot }];
  const [first = '', ...more] = texts;
  const rest = more.map((text): Part => {
    return { ...THOUGHT_PART, text, seal: { maker: MAKER, form: 'reference', value: id, id }, ...spot };
  });
  return [{ ...THOUGHT_PART, text: first, ...maybe('seal', seal), ...spot }, ...rest];
}

const THOUGHT_PART = { kind: 'reasoning', sealed: false, characters: 0 } as const;

/** Pieces of a thought without an id cannot be put together again. */
export function loseEnds(spot: Spot, lose: Lose): void {
  const why = 'a thought without an id is told in one piece';
  lose(spot, { kind: 'reasoning', what: 'where its pieces end', became: 'other', why });
}

function sealOf({ id, encrypted_content: value }: Wire): Seal | undefined {
  const named = maybe('id', textOf(id));
  if (typeof value === 'string' && value !== '') return { maker: MAKER, form: 'encrypted', value, ...named };
  return typeof id === 'string' ? { maker: MAKER, form: 'reference', value: id, id } : undefined;
}

function readOther(wire: Wire, spot: Spot, lose: Lose): readonly Part[] {
  const { type, refusal, result } = wire;
  if (type === 'refusal' && typeof refusal === 'string')
    return [{ kind: 'text', text: refusal, characters: 0, refusal: true, ...spot }];
  if (type === 'image_generation_call' && typeof result === 'string') {
    lose(inside(spot, 'id'), { kind: 'id', what: 'the call that made an image', why: 'only its provider knows it' });
    return [{ kind: 'media', characters: 0, media: { type: 'image', mime: 'image/png', data: result }, ...spot }];
  }
  if (type === 'mcp_call') return readForeignCall(wire, spot, lose);
  const what = textOf(type) ?? 'an entry that cannot be read';
  return [{ kind: 'opaque', characters: 0, what, ...spot }];
}

const FOREIGN_CALL: ReadonlySet<string> = new Set(['type', 'id', 'name', 'arguments', 'output', 'error', 'status']);

/** A call to another server that the provider made holds its result too. */
function readForeignCall(wire: Wire, spot: Spot, lose: Lose): readonly Part[] {
  loseKeys(wire, FOREIGN_CALL, { spot, lose });
  const { output, error } = wire;
  const callId = textOf(wire['id']) ?? '';
  const tool = textOf(wire['name']) ?? '';
  const common = { callId, tool, server: true, runner: `${MAKER}-mcp`, characters: 0 };
  const failed = !isSilent(error);
  return [
    { kind: 'call', ...common, input: wire['arguments'], ...spot },
    {
      kind: 'result',
      ...common,
      text: '',
      outcome: failed ? 'error' : 'ok',
      // What came before it failed is worth reading too.
      pieces: failed ? [output, error].flatMap((each) => (isSilent(each) ? [] : toPieces(each))) : toPieces(output),
      ...spot,
    },
  ];
}

const AUDIO: ReadonlySet<string> = new Set(['data', 'format']);

/** Reads a piece that users show. */
export function readMedia(wire: Wire, spot: Spot, lose: Lose): Part {
  const media = mediaOf(wire);
  if (media === undefined)
    return { kind: 'opaque', characters: 0, what: textOf(wire['type']) ?? readableJson(wire).slice(0, 60), ...spot };
  const detail = wire['type'] === 'input_image' ? detailIn(wire, spot) : undefined;
  loseKeys(wire, detail === undefined ? MEDIA : DETAILED_MEDIA, { spot, lose });
  loseKeys(wire['input_audio'], AUDIO, { spot: inside(spot, 'input_audio'), lose });
  return { kind: 'media', characters: 0, media: { ...media, ...maybe('detail', detail) }, ...spot };
}

function mediaOf(wire: Wire): Media | undefined {
  const { type, image_url: image, file_id: id, file_data: data, file_url: url, filename, input_audio: audio } = wire;
  const kind = type === 'input_image' ? 'image' : 'document';
  const name = maybe('name', textOf(filename));
  if (typeof image === 'string') return fromUrl(image, 'image');
  if (typeof data === 'string') return { ...fromUrl(data, 'document'), ...name };
  if (typeof url === 'string') return { type: kind, url, ...name };
  if (typeof id === 'string') return { type: kind, file: { maker: MAKER, id }, ...name };
  if (!isRecord(audio) || typeof audio['data'] !== 'string') return undefined;
  const format = textOf(audio['format']);
  return { type: 'audio', data: audio['data'], ...maybe('mime', format && mimeOfEnding(format, 'audio')) };
}
