import { idText } from '../../model/call-id.ts';
import { placed, type Noting } from '../../model/noting.ts';
import type { CallPart, Message, Part, PartKind, Piece, Place, ResultPart, Seal } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { outcomeOfText } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { listIn, markOf, maybe, textOf } from '../conversion/keys.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { isSaidElsewhere, readableText, salvageable, salvageMessage } from '../salvage.ts';
import { mediaIn, readMedia, videoIn } from './media.ts';
import {
  Aside,
  ASIDE_KEYS,
  callCharacters,
  calleeOf,
  callsOf,
  isAside,
  isPiece,
  pieceCharacters,
  pieceKind,
  resultIdOf,
  roleOf,
} from './shape.ts';

type Wire = Record<string, unknown>;

/** Keys that a conversion makes something of. */
const MESSAGE: ReadonlySet<string> = new Set(
  (
    'role content name tool_calls tool_call_id refusal function_call audio ' +
    'reasoning_content reasoning reasoning_details'
  ).split(' '),
);
const CALL: ReadonlySet<string> = new Set(['id', 'type', 'function', 'custom', 'index', 'extra_content']);
const CALLEE: ReadonlySet<string> = new Set(['name', 'arguments', 'input']);
const TEXT: ReadonlySet<string> = new Set(['type', 'text', 'cache_control']);

/** What a relative of this API reads otherwise. */
export type Reading = {
  readonly noting: Noting | undefined;
  /** What content is that is a list of pieces, or in place of one. */
  readonly kindOf: (piece: unknown, listed: boolean) => PartKind;
};

/** Content that is no list and no text is nothing that this API has. */
const kindOf: Reading['kindOf'] = (piece, listed) => (listed ? pieceKind(piece) : 'opaque');

/** Reads one wire message. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  return readChat(wire, index, { noting, kindOf });
}

/** Reads one wire message of this API or of a relative. */
export function readChat(wire: unknown, index: number, reading: Reading): Message {
  const { noting } = reading;
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined || isSaidElsewhere(wire)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  noting?.loseKeys(wire, MESSAGE);
  if (role === 'tool') return { role, parts: [readResult(wire, index, noting)], wire, at: index };
  if (noting !== undefined && wire['role'] === 'function') {
    return { role: 'tool', parts: [readOldResult(wire, noting)], wire, at: index };
  }
  const thoughts = noting === undefined || role !== 'assistant' ? [] : readThoughts(wire, noting);
  const parts = readContent(wire['content'], index, reading);
  if (role === 'assistant') {
    readAsides(wire, parts, { index, noting });
    readCalls(callsOf(wire), parts, { index, noting });
  }
  if (noting === undefined) return { role, parts, wire, at: index };
  const developer = wire['role'] === 'developer' ? { developer: true } : {};
  const said = [...thoughts, ...parts.flatMap(apart)];
  return { role, parts: said, wire, at: index, ...maybe('name', nameIn(wire)), ...developer };
}

function nameIn({ name }: Wire): string | undefined {
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/**
 * Answers that only call tools often come with an empty text, which is no part of what was said. Reasoning may be told
 * in several texts, of which each is a thought of its own.
 */
function apart(part: Part): readonly Part[] {
  if (part.kind === 'text' && part.text === '') return [];
  const pieces = part.kind === 'reasoning' ? listIn(part.wire, 'thinking') : [];
  const texts = pieces.flatMap((piece) => (isRecord(piece) ? (textOf(piece['text']) ?? []) : []));
  if (texts.length === 0 || texts.length < pieces.length) return [part];
  return texts.map((text, i) => ({ ...part, text, path: `${part.path ?? ''}/thinking/${String(i)}` }) as Part);
}

function readContent(content: unknown, index: number, { noting, kindOf }: Reading): Part[] {
  if (content === undefined || content === null) return [];
  const place = (part: number): Place => ({ message: index, part });
  if (Array.isArray(content)) {
    return Array.from(content as unknown[], (piece, i) =>
      readPiece(piece, place(i), { kind: kindOf(piece, true), noting: noting?.part(i, 'content', i) }),
    );
  }
  const own = noting?.part(0, 'content');
  if (typeof content === 'string') return [placed(textPart(content, content.length, place(0)), own)];
  const only = readPiece(content, place(0), { kind: kindOf(content, false), noting: own });
  return [{ ...only, characters: charactersOf(content) }];
}

type PieceReading = { readonly kind: PartKind; readonly noting: Noting | undefined };

function readPiece(wire: unknown, at: Place, { kind, noting }: PieceReading): Part {
  const characters = pieceCharacters(wire);
  switch (kind) {
    case 'text': {
      const { text, cache_control: marker } = wire as Wire & { text: string };
      const part = { kind, text, wire, at, characters } as const;
      if (noting === undefined) return part;
      noting.loseKeys(wire, TEXT);
      return placed({ ...part, ...maybe('cache', markOf(marker, noting.inside('cache_control'))) }, noting);
    }
    case 'reasoning': {
      const text = readableText((wire as Wire)['thinking']);
      return placed({ kind, wire, at, characters, text, sealed: false }, noting);
    }
    case 'media': {
      const common = { wire: wire as Wire, at, characters };
      return noting === undefined ? { kind, ...common } : placed(readMedia(common, noting), noting);
    }
    default: {
      const common = { wire, at, characters };
      return noting === undefined ? { kind: 'opaque', ...common } : placed(readOther(common), noting);
    }
  }
}

type Common = { readonly wire: unknown; readonly at: Place; readonly characters: number };

/** A piece that only this API has; refusals and videos are known elsewhere too. */
function readOther(common: Common): Part {
  const wire: Wire = isRecord(common.wire) ? common.wire : {};
  const { type, refusal } = wire;
  if (type === 'refusal' && typeof refusal === 'string') {
    return { kind: 'text', ...common, text: refusal, refusal: true };
  }
  const media = type === 'video_url' ? videoIn(wire) : undefined;
  if (media !== undefined) return { kind: 'media', ...common, media };
  return { kind: 'opaque', ...common, what: textOf(type) ?? 'a piece that cannot be read' };
}

/** Reasoning stands in a field of its own, which each host has given another name. */
function readThoughts(fields: Wire, noting: Noting): readonly Part[] {
  const key = typeof fields['reasoning_content'] === 'string' ? 'reasoning_content' : 'reasoning';
  const { [key]: text, reasoning_details: details } = fields;
  if (listIn(fields, 'reasoning_details').length > 0) {
    const why = 'only the host that gave it out can use it';
    noting.inside('reasoning_details').lose({ kind: 'reasoning', what: readableJson(details).slice(0, 60), why });
  }
  if (typeof text !== 'string' || text === '') return [];
  return [placed({ kind: 'reasoning', text, sealed: false, characters: 0 }, noting.inside(key))];
}

type Standing = { readonly index: number; readonly noting: Noting | undefined };

function readAsides(wire: Wire, parts: Part[], { index, noting }: Standing): void {
  for (const key of ASIDE_KEYS) {
    if (!isAside(wire, key)) continue;
    const at = { message: index, part: parts.length };
    const common = { wire: new Aside(key, wire[key]), at, characters: charactersOf(wire[key]) };
    if (noting === undefined) parts.push({ kind: 'opaque', ...common });
    else parts.push(placed(readAside(common), noting.part(parts.length, key)));
  }
}

function readAside(common: Common & { readonly wire: Aside }): Part {
  const { key, value } = common.wire;
  if (key === 'refusal') return { kind: 'text', ...common, text: String(value), refusal: true };
  const wire: Wire = isRecord(value) ? value : {};
  if (key === 'audio') return { kind: 'opaque', ...common, what: `audio ${textOf(wire['id']) ?? ''}` };
  const { name, arguments: input } = wire;
  return { kind: 'call', ...common, callId: '', tool: textOf(name) ?? '', input, server: false };
}

function readCalls(calls: unknown, parts: Part[], { index, noting }: Standing): void {
  if (!Array.isArray(calls)) return;
  for (const [i, call] of (calls as unknown[]).entries()) {
    const part = parts.length;
    parts.push(readCall(call ?? null, { message: index, part }, noting?.part(part, 'tool_calls', i)));
  }
}

function readCall(wire: unknown, at: Place, noting: Noting | undefined): CallPart {
  const common = { kind: 'call', server: false, wire, at } as const;
  if (!isRecord(wire)) {
    return placed({ ...common, callId: '', tool: '', input: wire, characters: charactersOf(wire) }, noting);
  }
  const { tool, input } = calleeOf(wire);
  const name = typeof tool === 'string' ? tool : '';
  const characters = callCharacters(wire);
  const part = { ...common, callId: idText(wire['id']) ?? '', tool: name, input, characters };
  if (noting === undefined) return part;
  noting.loseKeys(wire, CALL);
  const free = wire['type'] === 'custom';
  const key = free ? 'custom' : 'function';
  noting.inside(key).loseKeys(wire[key], CALLEE);
  return placed({ ...part, ...(free ? { free } : {}), ...maybe('seal', sealOf(wire, noting)) }, noting);
}

/** The compatible layer of another provider keeps its signatures beside the call. */
function sealOf({ extra_content: extra }: Wire, noting: Noting): Seal | undefined {
  const google = isRecord(extra) ? extra['google'] : undefined;
  const value = isRecord(google) ? google['thought_signature'] : undefined;
  const { path } = noting.inside('extra_content', 'google', 'thought_signature');
  return typeof value === 'string' ? { maker: 'google', form: 'signature', value, path } : undefined;
}

function readResult(wire: Wire, index: number, noting: Noting | undefined): ResultPart {
  const content = wire['content'];
  const callId = resultIdOf(wire) ?? '';
  const at = { message: index, part: 0 };
  const tool = nameIn(wire);
  const text = readableText(content);
  const outcome = outcomeOfText(text);
  const characters = resultCharacters(content);
  const part: ResultPart =
    tool === undefined
      ? { kind: 'result', callId, outcome, text, server: false, wire, at, characters }
      : { kind: 'result', callId, tool, outcome, text, server: false, wire, at, characters };
  const own = noting?.part(0);
  return own === undefined ? part : placed({ ...part, pieces: piecesOf(content, own.inside('content')) }, own);
}

function resultCharacters(content: unknown): number {
  if (!Array.isArray(content)) return charactersOf(content);
  let count = 0;
  for (const piece of content as unknown[]) count += pieceCharacters(piece);
  return count;
}

function piecesOf(content: unknown, noting: Noting): readonly Piece[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [{ kind: 'json', value: content }];
  return (content as unknown[]).map((piece, i): Piece => {
    const own = noting.inside(i);
    const wire: Wire = isRecord(piece) ? piece : {};
    const { text } = wire;
    if (typeof text === 'string') {
      own.loseKeys(wire, TEXT);
      return { kind: 'text', text };
    }
    const media = mediaIn(wire, own);
    return media === undefined
      ? { kind: 'json', value: piece }
      : { kind: 'media', media: { ...media, path: own.path } };
  });
}

/** The predecessor of results names its tool and no call. */
function readOldResult(fields: Wire, noting: Noting): ResultPart {
  const text = readableText(fields['content']);
  const said = { outcome: 'ok', text, pieces: [{ kind: 'text', text }] } as const;
  const part = { kind: 'result', callId: '', ...maybe('tool', nameIn(fields)), ...said, server: false } as const;
  return placed({ ...part, characters: 0 }, noting.part(0));
}

/** Whatever can be read of a message that is in no shape of this API. */
export function salvage(wire: unknown, index: number): Message | undefined {
  return salvageChat(wire, index, kindOf);
}

/** Content nobody can read becomes text; the calls beside it, and all other keys, stay as they are. */
export function salvageChat(wire: unknown, index: number, kindOf: Reading['kindOf']): Message | undefined {
  const reading = { noting: undefined, kindOf };
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined || isSaidElsewhere(wire)) {
    const readParts = (_role: unknown, content: readonly unknown[]): Part[] => readContent(content, index, reading);
    return salvageMessage(wire, index, { readParts, results: 'tool' });
  }
  const content = wire['content'];
  const mended = readChat(withKeys(wire, { content: readableContent(content) }), index, reading);
  const [first, ...rest] = mended.parts;
  if (first === undefined) return mended;
  const characters = role === 'tool' ? resultCharacters(content) : charactersOf(content);
  return { ...mended, parts: [{ ...first, characters }, ...rest] };
}

function readableContent(content: unknown): unknown {
  if (Array.isArray(content)) return Array.from(content as unknown[], readablePiece);
  return isPiece(content) ? [content] : readableText(content);
}

function readablePiece(piece: unknown): unknown {
  return isPiece(piece) && !isPairOrThought(piece) ? piece : { type: 'text', text: readableText([piece]) };
}
