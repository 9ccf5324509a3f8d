import { placed, type Noting } from '../../model/noting.ts';
import type {
  CallPart,
  Media,
  Message,
  Part,
  Piece,
  Place,
  ReasoningPart,
  ResultPart,
  Role,
  Seal,
} from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { isRecord, withKeys } from '../../model/value.ts';
import { callsBeside, NOT_BESIDE, readBeside, weighed } from '../calls-beside.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { fromUrl, typeOfMime } from '../conversion/media.ts';
import { toPieces } from '../conversion/pieces.ts';
import { ANSWER_KEYS, inPieces, loseEnds, MESSAGE, withItem } from '../openai-responses/read.ts';
import { MAKER } from '../openai-responses/shape.ts';
import { readableText, salvageable, salvageMessage, unreadOf } from '../salvage.ts';
import {
  callCharacters,
  callIdOf,
  contentOf,
  inputOf,
  isBeside,
  isFunction,
  isPiece,
  isReadable,
  opaqueCharacters,
  outputOf,
  pieceCharacters,
  pieceKind,
  saidCharacters,
  shapeOf,
  strayCharacters,
  tagged,
  thoughtCharacters,
  thoughts,
  type Shape,
  type Wire,
} from './shape.ts';

/** Keys that a conversion makes something of. */
const CALL: ReadonlySet<string> = new Set('type id callId call_id name arguments action operation status'.split(' '));
const RESULT: ReadonlySet<string> = new Set(['type', 'callId', 'call_id', 'name', 'output', 'status', 'id']);
const THOUGHT: ReadonlySet<string> = new Set(['type', 'id', 'content', 'rawContent', 'providerData']);
const SEALED: ReadonlySet<string> = new Set(['encryptedContent', 'encrypted_content']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text']);
const MEDIA: ReadonlySet<string> = new Set(['type', 'image', 'file', 'filename', 'audio', 'format', 'mediaType']);

/** Reads one item. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape === undefined || !isReadable(wire, shape)) {
    const characters = isRecord(wire) && shape !== undefined ? strayCharacters(wire) : salvageable(wire);
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  const { role, reads } = shape;
  if (reads !== 'message') return { role, parts: readItem(wire, shape, { index, noting }), wire, at: index };
  noting?.loseKeys(wire, MESSAGE);
  const parts = readContent(wire['content'], index, noting);
  return { role, parts: noting === undefined ? parts : withItem(parts, idOf(wire), noting), wire, at: index };
}

/** A thought may be several. */
function readItem(wire: Wire, shape: Shape, { index, noting }: Reading): readonly Part[] {
  const own = noting?.part(0);
  const common = { wire, at: { message: index, part: 0 } };
  switch (shape.reads) {
    case 'call':
      return [placed(inFamily(readCall(common, own), shape.family), own)];
    case 'result':
      return [placed(inFamily(readResult(common, own), shape.family), own)];
    case 'reasoning': {
      const thought = placed(readThought(common, own), own);
      return inPieces(thought, thoughts(wire));
    }
    default:
      return [placed(readOther({ ...common, characters: opaqueCharacters(wire) }, own), own)];
  }
}

type Reading = { readonly index: number; readonly noting: Noting | undefined };
type Standing = { readonly wire: Wire; readonly at: Place };

function inFamily<P extends CallPart | ResultPart>(part: P, family: string | undefined): P {
  return family === undefined ? part : { ...part, family };
}

function readCall({ wire, at }: Standing, noting: Noting | undefined): CallPart {
  const type = String(wire['type']);
  const tool = (isFunction(wire) ? textOf(wire['name']) : type.replace(/_call$/, '')) ?? '';
  const callId = callIdOf(wire) ?? '';
  const input = inputOf(wire);
  const characters = callCharacters(wire);
  const part = { kind: 'call', callId, tool, input, server: false, wire, at, characters } as const;
  if (noting === undefined) return part;
  noting.loseKeys(wire, CALL);
  if (!isFunction(wire)) {
    noting.lose({ kind: 'call', what: type, became: 'other', why: 'elsewhere it is a call like any other' });
  }
  return { ...part, ...maybe('item', idOf(wire)) };
}

function readResult({ wire, at }: Standing, noting: Noting | undefined): ResultPart {
  const { name: tool, status } = wire;
  const callId = callIdOf(wire) ?? '';
  const outcome = status === 'failed' || status === 'incomplete' ? 'error' : 'ok';
  const said = outputOf(wire);
  const text = readableText(said);
  const characters = saidCharacters(said);
  // To add the name to a copy would cost more than all of the rest.
  const part: ResultPart =
    typeof tool === 'string'
      ? { kind: 'result', callId, tool, outcome, text, server: false, wire, at, characters }
      : { kind: 'result', callId, outcome, text, server: false, wire, at, characters };
  if (noting === undefined) return part;
  noting.loseKeys(wire, RESULT);
  return { ...part, pieces: piecesOf(wire['output'], noting.inside('output')) };
}

/** A text, one piece, or a list of them. */
function piecesOf(output: unknown, noting: Noting): readonly Piece[] {
  const list: unknown[] = Array.isArray(output) ? output : [output];
  return list.flatMap((piece, i): readonly Piece[] => {
    if (!isRecord(piece)) return piece === '' ? [] : toPieces(piece);
    if (typeof piece['text'] === 'string') return piece['text'] === '' ? [] : [{ kind: 'text', text: piece['text'] }];
    const media = mediaOf(piece);
    const { path } = list === output ? noting.inside(i) : noting;
    return [media === undefined ? { kind: 'json', value: piece } : { kind: 'media', media: { ...media, path } }];
  });
}

function readThought({ wire, at }: Standing, noting: Noting | undefined): ReasoningPart {
  const data = wire['providerData'];
  const sealed = isRecord(data) && Object.keys(data).some((key) => /encrypted/i.test(key));
  const text = thoughts(wire).join('\n');
  const part = { kind: 'reasoning', text, sealed, wire, at, characters: thoughtCharacters(wire) } as const;
  if (noting === undefined) return part;
  noting.loseKeys(wire, THOUGHT);
  const pieces = listIn(wire, 'content').length + listIn(wire, 'rawContent').length;
  if (idOf(wire) === undefined && pieces > 1) loseEnds(noting);
  noting.inside('providerData').loseKeys(data, SEALED);
  return { ...part, ...maybe('seal', sealOf(wire)) };
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

function readContent(content: unknown, index: number, noting: Noting | undefined): Part[] {
  if (typeof content !== 'string') return readPieces(content as unknown[], index, noting);
  return [placed(textPart(content, content.length, { message: index, part: 0 }), noting?.part(0, 'content'))];
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
  const media = mediaOf(wire as Wire);
  if (media === undefined) return { kind: 'opaque', wire, at, characters, what: 'media' };
  noting.loseKeys(wire, MEDIA);
  return { kind, wire, at, characters, media };
}

type Common = { readonly wire: unknown; readonly at: Place; readonly characters: number };

/** What only this framework has; refusals are known elsewhere too. */
function readOther(common: Common, noting: Noting | undefined): Part {
  if (noting === undefined) return { kind: 'opaque', ...common };
  const { type, refusal }: Wire = isRecord(common.wire) ? common.wire : {};
  if (type === 'refusal' && typeof refusal === 'string') {
    return { kind: 'text', ...common, text: refusal, refusal: true };
  }
  return { kind: 'opaque', ...common, what: textOf(type) ?? 'an item that cannot be read' };
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

/** Content nobody can read becomes text; an output in the spelling of the API is put into that of the framework. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (isRecord(wire) && isBeside(wire)) return salvageCalls(wire, index);
  if (isRecord(wire) && shape !== undefined) return salvageContent(wire, shape.role, index);
  if (isRecord(wire) && wire['type'] === 'function_call_output') return salvageOutput(wire, index);
  const readParts = (_role: Role, said: readonly unknown[]): Part[] => readPieces(said, index);
  return salvageMessage(wire, index, { readParts, results: 'tool' });
}

/** What an answer says keeps its other keys; the calls beside it become items of their own. */
function salvageCalls(wire: Wire, index: number): Message {
  const calls = readBeside(callsBeside(wire));
  const bare = withKeys(wire, NOT_BESIDE);
  const said = isReadable(bare) ? read(bare, index) : salvageContent(bare, 'assistant', index);
  if (said === undefined) return { role: 'assistant', parts: calls, at: index, ...unreadOf(wire, ANSWER_KEYS) };
  return { ...said, parts: weighed([...said.parts, ...calls], strayCharacters(wire)) };
}

/** What is read of an output in the spelling of the API. */
const OUTPUT_KEYS: ReadonlySet<string> = new Set(['type', 'callId', 'call_id', 'name', 'status', 'output']);

function salvageOutput(wire: Wire, index: number): Message {
  const { wire: _wire, ...result } = readResult({ wire, at: { message: index, part: 0 } }, undefined);
  const parts = [{ ...result, characters: salvageable(wire) }];
  return { role: 'tool', parts, at: index, ...unreadOf(wire, OUTPUT_KEYS) };
}

function salvageContent(wire: Wire, role: Role, index: number): Message | undefined {
  const content = contentOf(wire);
  const whole = isPiece(content) && role !== 'system' && wire['type'] !== 'reasoning';
  const said = whole ? undefined : readableText(content);
  const list = said === undefined ? [content] : said === '' ? [] : [tagged(tagFor(wire, role), said)];
  if (list.length === 0 && wire['type'] !== 'reasoning') return undefined;
  const mended = read(withKeys(wire, { content: role === 'system' ? (said ?? '') : list }), index);
  const [first, ...rest] = mended.parts;
  if (first === undefined || (first.kind === 'text' && first.text === '')) return undefined;
  return { ...mended, parts: [{ ...first, characters: strayCharacters(wire) }, ...rest] };
}

function tagFor(wire: Wire, role: Role): string {
  return role === 'assistant' && wire['type'] !== 'reasoning' ? 'output_text' : 'input_text';
}
