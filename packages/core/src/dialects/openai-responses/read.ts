import { isSilent, placed, type Noting } from '../../model/noting.ts';
import type {
  CallPart,
  Media,
  Message,
  Part,
  Piece,
  Place,
  ReasoningPart,
  ResultPart,
  Seal,
} from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { outcomeOfText } from '../../model/synthetic.ts';
import { charactersOf, isRecord, withKeys } from '../../model/value.ts';
import { callsBeside, hasCallsBeside, NOT_BESIDE, readBeside, weighed } from '../calls-beside.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { detailIn, fromUrl, mimeOfEnding } from '../conversion/media.ts';
import { toPieces } from '../conversion/pieces.ts';
import { charactersElsewhere, saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { readableText, salvageable, salvageMessage, unreadOf } from '../salvage.ts';
import {
  ASSISTANT,
  callCharacters,
  callIdOf,
  inputOf,
  isMute,
  isNamed,
  isPiece,
  MAKER,
  opaqueCharacters,
  outputCharacters,
  outputOf,
  pieceCharacters,
  pieceKind,
  reasoningCharacters,
  reasoningTexts,
  shapeOf,
  type Shape,
  type Wire,
} from './shape.ts';

/** Keys that a conversion makes something of. */
export const MESSAGE: ReadonlySet<string> = new Set(['type', 'role', 'content', 'status', 'id']);
const CALL: ReadonlySet<string> = new Set('type id call_id name arguments input status'.split(' '));
const OTHER_CALL: ReadonlySet<string> = new Set('type id call_id arguments action operation status'.split(' '));
const REMOTE_CALL: ReadonlySet<string> = new Set('type id name arguments output error status'.split(' '));
const RESULT: ReadonlySet<string> = new Set(['type', 'call_id', 'output', 'tools', 'status']);
const THOUGHT: ReadonlySet<string> = new Set('type id summary content encrypted_content status'.split(' '));
const TEXT: ReadonlySet<string> = new Set(['type', 'text', 'logprobs']);
const MEDIA: ReadonlySet<string> = new Set('type image_url file_id file_data file_url filename input_audio'.split(' '));
const AUDIO: ReadonlySet<string> = new Set(['data', 'format']);
const DETAILED_MEDIA: ReadonlySet<string> = new Set([...MEDIA, 'detail']);

/** The list that a bare text stands for: one message of the user. */
export function listOf(field: unknown): readonly unknown[] | undefined {
  if (typeof field !== 'string') return undefined;
  return field === '' ? [] : [{ role: 'user', content: field }];
}

/** Reads one entry. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape === undefined || (shape === ASSISTANT && hasCallsBeside(wire))) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  const { role, reads } = shape;
  if (reads === 'message' && isMute(wire) && saysElsewhere(wire, 'content')) {
    return unreadMessage(wire, index, charactersElsewhere(wire, 'content'));
  }
  // An entry that does not say its type is told like a message, also where it only refers to another.
  const spoken = reads === 'message' || wire['type'] === undefined;
  if (spoken) noting?.loseKeys(wire, MESSAGE);
  const parts =
    reads === 'message' ? readContent(wire['content'], index, noting) : [readItem(wire, shape, { index, noting })];
  if (noting === undefined) return { role, parts, wire, at: index };
  const said = parts.flatMap(apart);
  const developer = wire['role'] === 'developer' && spoken ? { developer: true } : {};
  return { role, parts: spoken ? withItem(said, textOf(wire['id']), noting) : said, wire, at: index, ...developer };
}

/** The first text of a message carries the id under which the provider keeps it. */
export function withItem(parts: readonly Part[], item: string | undefined, noting: Noting): readonly Part[] {
  const [first, ...rest] = parts;
  if (item === undefined) return parts;
  const own = noting.inside('id');
  if (first?.kind === 'text') return [{ ...first, item, itemPath: own.path }, ...rest];
  own.lose({ kind: 'id', what: `the item ${item}`, why: 'it is kept only by the provider that made it' });
  return parts;
}

/** A thought may be several, and a call that the provider made to another server holds its result. */
function apart(part: Part): readonly Part[] {
  if (part.kind === 'reasoning') return inPieces(part, pieceTexts(part.wire as Wire));
  return part.kind === 'call' && part.server ? [part, remoteResult(part)] : [part];
}

/** Every piece of a thought with an id is a thought of its own, and the first one carries the seal. */
export function inPieces(part: ReasoningPart, texts: readonly string[]): readonly ReasoningPart[] {
  const id = part.seal?.id;
  if (id === undefined || texts.length < 2) return [part];
  const seal: Seal = { maker: MAKER, form: 'reference', value: id, id };
  return texts.map((text, i) => (i === 0 ? { ...part, text } : { ...part, text, seal }));
}

function pieceTexts(wire: Wire): readonly string[] {
  const pieces = [...listIn(wire, 'summary'), ...listIn(wire, 'content')];
  return pieces.flatMap((piece) => (isRecord(piece) ? (textOf(piece['text']) ?? []) : []));
}

type Standing = { readonly shape: Shape; readonly at: Place };

function readItem(wire: Wire, shape: Shape, { index, noting }: { index: number; noting: Noting | undefined }): Part {
  const at = { message: index, part: 0 };
  const own = wire['type'] === undefined ? noting?.part(0, 'content') : noting?.part(0);
  switch (shape.reads) {
    case 'call':
      return placed(readCall(wire, { shape, at }, own), own);
    case 'result':
      return placed(readResult(wire, { shape, at }, own), own);
    case 'reasoning':
      return placed(readThought(wire, at, own), own);
    default:
      return placed(readOther({ wire, at, characters: opaqueCharacters(wire) }, own), own);
  }
}

function readCall(wire: Wire, { shape, at }: Standing, noting: Noting | undefined): CallPart {
  const tool = textOf(wire['name']) ?? '';
  const callId = callIdOf(wire) ?? '';
  const input = inputOf(wire);
  const characters = callCharacters(wire);
  const family = maybe('family', shape.family);
  const part = { kind: 'call', callId, tool, input, server: false, ...family, wire, at, characters } as const;
  if (noting === undefined) return part;
  const item = maybe('item', textOf(wire['id']));
  const type = String(wire['type']);
  if (isNamed(wire)) {
    noting.loseKeys(wire, CALL);
    return { ...part, ...(type === 'custom_tool_call' && { free: true }), ...item };
  }
  noting.loseKeys(wire, OTHER_CALL);
  noting.lose({ kind: 'call', what: type, became: 'other', why: 'elsewhere it is a call like any other' });
  return { ...part, tool: type.replace(/_call$/, ''), ...item };
}

function readResult(wire: Wire, { shape, at }: Standing, noting: Noting | undefined): ResultPart {
  const callId = callIdOf(wire) ?? '';
  const output = outputOf(wire);
  const text = readableText(output);
  const characters = outputCharacters(wire);
  const outcome = outcomeOfText(text);
  const family = maybe('family', shape.family);
  const part = { kind: 'result', callId, outcome, text, server: false, ...family, wire, at, characters } as const;
  if (noting === undefined) return part;
  noting.loseKeys(wire, RESULT);
  const free = wire['type'] === 'custom_tool_call_output' ? { free: true } : {};
  return { ...part, pieces: piecesOf(output, noting.inside('output')), ...free };
}

function piecesOf(output: unknown, noting: Noting): readonly Piece[] {
  if (output === '') return [];
  const taken = (piece: unknown): boolean => isRecord(piece) && String(piece['type']).startsWith('input_');
  if (!Array.isArray(output) || !output.some(taken)) return toPieces(output);
  return (output as unknown[]).map((piece, i): Piece => {
    const own = noting.inside(i);
    const wire: Wire = isRecord(piece) ? piece : {};
    if (typeof wire['text'] === 'string') {
      own.loseKeys(wire, TEXT);
      return { kind: 'text', text: wire['text'] };
    }
    const media = mediaIn(wire, own);
    return media === undefined
      ? { kind: 'json', value: piece }
      : { kind: 'media', media: { ...media, path: own.path } };
  });
}

function readThought(wire: Wire, at: Place, noting: Noting | undefined): ReasoningPart {
  const seal = wire['encrypted_content'];
  const sealed = typeof seal === 'string' && seal !== '';
  const text = reasoningTexts(wire).join('\n');
  const part = { kind: 'reasoning', text, sealed, wire, at, characters: reasoningCharacters(wire) } as const;
  if (noting === undefined) return part;
  noting.loseKeys(wire, THOUGHT);
  const own = sealOf(wire);
  const texts = pieceTexts(wire);
  if (own?.id === undefined && texts.length > 1) loseEnds(noting);
  return { ...part, text: texts.join('\n\n'), ...maybe('seal', own) };
}

/** Pieces of a thought without an id cannot be put together again. */
export function loseEnds(noting: Noting): void {
  const why = 'a thought without an id is told in one piece';
  noting.lose({ kind: 'reasoning', what: 'where its pieces end', became: 'other', why });
}

function sealOf({ id, encrypted_content: value }: Wire): Seal | undefined {
  const named = maybe('id', textOf(id));
  if (typeof value === 'string' && value !== '') return { maker: MAKER, form: 'encrypted', value, ...named };
  return typeof id === 'string' ? { maker: MAKER, form: 'reference', value: id, id } : undefined;
}

function readContent(content: unknown, index: number, noting: Noting | undefined): Part[] {
  if (content === undefined || content === null) return [];
  if (Array.isArray(content)) return readPieces(content as unknown[], index, noting);
  const at = { message: index, part: 0 };
  const own = noting?.part(0, 'content');
  if (typeof content === 'string') return [placed(textPart(content, content.length, at), own)];
  return [placed(readOther({ wire: content, at, characters: charactersOf(content) }, own), own)];
}

function readPieces(content: readonly unknown[], index: number, noting?: Noting): Part[] {
  return Array.from(content, (wire, part) => {
    const own = noting?.part(part, 'content', part);
    return placed(readPiece(wire, { message: index, part }, own), own);
  });
}

function readPiece(wire: unknown, at: Place, noting: Noting | undefined): Part {
  const kind = pieceKind(wire);
  const characters = pieceCharacters(wire);
  if (kind === 'text') {
    noting?.loseKeys(wire, TEXT);
    return { kind, text: (wire as { text: string }).text, wire, at, characters };
  }
  if (kind !== 'media') return readOther({ wire, at, characters }, noting);
  if (noting === undefined) return { kind, wire, at, characters };
  const media = mediaIn(wire as Wire, noting);
  if (media !== undefined) return { kind, wire, at, characters, media };
  return { kind: 'opaque', wire, at, characters, what: String((wire as Wire)['type']) };
}

type Common = { readonly wire: unknown; readonly at: Place; readonly characters: number };

/** What only this API has; refusals, images and calls are known elsewhere too. */
function readOther(common: Common, noting: Noting | undefined): Part {
  if (noting === undefined) return { kind: 'opaque', ...common };
  const wire: Wire = isRecord(common.wire) ? common.wire : {};
  const { type, refusal, result, name } = wire;
  if (type === 'refusal' && typeof refusal === 'string') {
    return { kind: 'text', ...common, text: refusal, refusal: true };
  }
  if (type === 'image_generation_call' && typeof result === 'string') {
    const what = 'the call that made an image';
    noting.inside('id').lose({ kind: 'id', what, why: 'only its provider knows it' });
    return { kind: 'media', ...common, media: { type: 'image', mime: 'image/png', data: result } };
  }
  if (type !== 'mcp_call') return { kind: 'opaque', ...common, what: textOf(type) ?? 'an entry that cannot be read' };
  noting.loseKeys(wire, REMOTE_CALL);
  const named = { callId: textOf(wire['id']) ?? '', tool: textOf(name) ?? '', input: wire['arguments'] };
  return { kind: 'call', ...common, ...named, server: true, runner: `${MAKER}-mcp` };
}

/** What came before it failed is worth reading too. */
function remoteResult({ kind: _kind, input: _input, ...call }: CallPart): ResultPart {
  const { output, error } = call.wire as Wire;
  const failed = !isSilent(error);
  const pieces = failed ? [output, error].flatMap((each) => (isSilent(each) ? [] : toPieces(each))) : toPieces(output);
  return { kind: 'result', ...call, text: '', outcome: failed ? 'error' : 'ok', pieces };
}

/** The media in a piece that users show; undefined where there is none that can be read. */
export function mediaIn(wire: Wire, noting: Noting): Media | undefined {
  const media = mediaOf(wire);
  if (media === undefined) return undefined;
  const detail = wire['type'] === 'input_image' ? detailIn(wire, noting) : undefined;
  noting.loseKeys(wire, detail === undefined ? MEDIA : DETAILED_MEDIA);
  noting.inside('input_audio').loseKeys(wire['input_audio'], AUDIO);
  return { ...media, ...maybe('detail', detail) };
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

/** Content nobody can read becomes text; all other keys stay as they are. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (isRecord(wire) && shape === ASSISTANT && hasCallsBeside(wire)) return salvageCalls(wire, index);
  if (isRecord(wire) && shape?.reads === 'message') return salvageContent(wire, index);
  const readParts = (_role: unknown, content: readonly unknown[]): Part[] => readPieces(content, index);
  return salvageMessage(wire, index, { readParts, results: 'tool' });
}

/** What is read of an answer that only calls. */
export const ANSWER_KEYS: ReadonlySet<string> = new Set(['type', 'role', 'content', 'tool_calls', 'function_call']);

/** What an answer says keeps its other keys; the calls beside it become entries of their own. */
function salvageCalls(wire: Wire, index: number): Message {
  const { content } = wire;
  const bare = withKeys(wire, NOT_BESIDE);
  const calls = readBeside(callsBeside(wire));
  if (isMute(wire) || content === '')
    return { role: 'assistant', parts: calls, at: index, ...unreadOf(wire, ANSWER_KEYS) };
  const readable = typeof content === 'string' || Array.isArray(content);
  const said = readable ? read(bare, index) : salvageContent(bare, index);
  return { ...said, parts: weighed([...said.parts, ...calls], salvageable(wire)) };
}

function salvageContent(wire: Wire, index: number): Message {
  const content = wire['content'];
  const mended = read(withKeys(wire, { content: isPiece(content) ? [content] : readableText(content) }), index);
  return { ...mended, parts: mended.parts.map((part) => ({ ...part, characters: charactersOf(content) })) };
}
