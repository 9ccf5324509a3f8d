import { idText } from '../../model/call-id.ts';
import { placed, type Noting } from '../../model/noting.ts';
import type {
  CallPart,
  Media,
  Message,
  Outcome,
  Part,
  Piece,
  Place,
  ReasoningPart,
  ResultPart,
  Role,
  Seal,
} from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { outcomeOfText } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson, readKey, withKeys } from '../../model/value.ts';
import { A_PROVIDER } from '../conversion/adapt.ts';
import { markOf, maybe, textOf } from '../conversion/keys.ts';
import { fromData, typeOfMime } from '../conversion/media.ts';
import { toPieces } from '../conversion/pieces.ts';
import { legacyId, legacyKey, legacyList, repeats } from '../legacy-calls.ts';
import { readableText, salvageable, salvageMessage } from '../salvage.ts';
import {
  contentCharacters,
  contentOf,
  idOf,
  isSystem,
  isUnreadable,
  kindOf,
  legacyInput,
  legacyName,
  listOf,
  measure,
  nameOf,
  roleOf,
  shapeOf,
  type Wire,
} from './shape.ts';
import { writePart } from './write.ts';

const keys = (...names: readonly string[]): ReadonlySet<string> => new Set(names.flatMap((each) => each.split(' ')));

/** Keys that a conversion makes something of. */
const MESSAGE = keys('kind parts instructions tool_calls toolCalls');
const SYSTEM = keys('part_kind partKind content');
const TEXT = keys('part_kind partKind content id provider_name provider_details');
const THOUGHT = keys(...TEXT, 'signature');
const CALL = keys(
  'part_kind partKind tool_name toolName args tool_call_id toolCallId id provider_name provider_details',
);
const RESULT = keys(...CALL, 'content outcome');
const SIGNATURE = keys('thought_signature');
const NONE = keys();

const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map([
  ['failed', 'error'],
  ['denied', 'denied'],
  ['interrupted', 'interrupted'],
]);

/** Who speaks in the message of a part, and where that part stands. */
type Reading = { readonly role: Role; readonly noting?: Noting | undefined };

/** Reads one wire message. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  const own = isRecord(wire) ? listOf(wire) : undefined;
  if (!isRecord(wire) || role === undefined || own === undefined) {
    const characters = isRecord(wire) && role !== undefined ? contentCharacters(wire) : salvageable(wire);
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  noting?.loseKeys(wire, MESSAGE);
  const parts = readParts(own, index, { role, noting });
  const entries = role === 'assistant' ? legacyList(wire) : undefined;
  if (entries === undefined) return { role, parts, wire, at: index };
  const isRepeat = repeats(entries, own);
  let part = own.length;
  for (const entry of entries) {
    if (isRepeat(entry)) continue;
    parts.push(readLegacy(entry, { message: index, part }, noting?.part(part, legacyKey(wire))));
    part += 1;
  }
  return { role, parts, wire, at: index };
}

function readParts(parts: readonly unknown[], index: number, reading: Reading): Part[] {
  const { role, noting } = reading;
  if (noting !== undefined) return readNoted(parts, role, noting);
  const read: Part[] = [];
  for (let i = 0; i < parts.length; i += 1) read.push(readPart(parts[i], { message: index, part: i }, reading));
  return read;
}

/** For a conversion; what the system says in a request goes before the rest of it. */
function readNoted(parts: readonly unknown[], role: Role, noting: Noting): Part[] {
  const places = [...parts.keys()].toSorted((a, b) => Number(isSystem(parts[b])) - Number(isSystem(parts[a])));
  return places.flatMap((i) => {
    const own = noting.part(i, 'parts', i);
    return apart(placed(readPart(parts[i], own.at, { role, noting: own }), own), own);
  });
}

// No part is copied from what all of them have in common: a copy takes longer than everything else here.
function readPart(wire: unknown, at: Place, { role, noting }: Reading): Part {
  const shape = isRecord(wire) ? shapeOf(wire, role) : undefined;
  if (!isRecord(wire) || isUnreadable(wire, shape)) return readOther(wire, at, noting);
  switch (shape) {
    case 'prompt':
    case 'text': {
      const { content } = wire;
      const text = shape === 'text' ? readableText(content) : promptText(content);
      const part = { kind: 'text', text, wire, at, characters: measure(wire, shape) } as const;
      if (noting === undefined) return part;
      noting.loseKeys(wire, TEXT);
      return { ...part, ...maybe('seal', signatureIn(wire, noting)), ...maybe('item', textOf(wire['id'])) };
    }
    case 'thinking':
      return readThought(wire, at, noting);
    case 'call':
    case 'server-call': {
      const server = shape === 'server-call';
      const characters = measure(wire, shape);
      const callId = idOf(wire) ?? '';
      const part: CallPart = {
        kind: 'call',
        callId,
        tool: toolOf(wire),
        input: wire['args'],
        server,
        wire,
        at,
        characters,
      };
      return noting === undefined ? part : withItem(part, wire, noting);
    }
    case 'return':
    case 'retry':
    case 'server-return':
      return readResult(wire, at, { shape, noting });
    case 'media':
      return noting === undefined
        ? { kind: 'media', wire, at, characters: measure(wire, shape) }
        : readFile(wire, at, noting);
    case undefined:
      return readOther(wire, at, noting);
  }
}

/** What no answer is made of; what the system says in a request concerns only a conversion. */
function readOther(wire: unknown, at: Place, noting: Noting | undefined): Part {
  const part = { kind: 'opaque', wire, at, characters: charactersOf(wire) } as const;
  if (noting === undefined) return part;
  const kind = isRecord(wire) ? kindOf(wire) : undefined;
  if (!isSystem(wire)) return { ...part, what: textOf(kind) ?? 'a part that cannot be read' };
  noting.loseKeys(wire, SYSTEM);
  return { ...part, kind: 'text', text: textOf(wire['content']) ?? readableJson(wire['content']) };
}

/** What a user says and shows in one go is one prompt. */
function apart(part: Part, noting: Noting): readonly Part[] {
  const content = part.kind === 'text' && isRecord(part.wire) ? part.wire['content'] : undefined;
  if (!Array.isArray(content) || isSystem(part.wire)) return [part];
  const said: Part[] = [];
  for (const [i, piece] of (content as unknown[]).entries()) {
    const own = noting.inside('content', i);
    const last = said.at(-1);
    const mark = isRecord(piece) && piece['kind'] === 'cache-point' ? markOf(piece, own) : undefined;
    if (mark !== undefined && last?.kind === 'text') said[said.length - 1] = { ...last, cache: mark };
    else said.push(placed(readPiece(piece, own), own));
  }
  return said;
}

function readPiece(piece: unknown, noting: Noting): Part {
  if (typeof piece === 'string') return textPart(piece, 0);
  const wire: Wire = isRecord(piece) ? piece : {};
  const media = readMedia(wire, noting);
  if (media !== undefined) return { kind: 'media', characters: 0, media };
  const what = textOf(wire['kind']) ?? 'a piece that cannot be read';
  return { kind: 'opaque', characters: 0, what, ...maybe('text', textOf(wire['content'] ?? wire['text'])) };
}

function readThought(wire: Wire, at: Place, noting: Noting | undefined): ReasoningPart {
  const { signature, content } = wire;
  const sealed = typeof signature === 'string' && signature !== '';
  const part = {
    kind: 'reasoning',
    text: readableText(content),
    sealed,
    wire,
    at,
    characters: charactersOf(content),
  } as const;
  if (noting === undefined) return part;
  noting.loseKeys(wire, THOUGHT);
  noting.inside('provider_details').loseKeys(wire['provider_details'], NONE);
  return { ...part, ...maybe('seal', sealOf(wire)) };
}

/** Where a provider keeps reasoning under another name than the framework has for it. */
const MAKERS: Readonly<Record<string, string>> = {
  'google-gla': 'google',
  'google-vertex': 'google',
  bedrock: 'anthropic',
};

function makerOf({ provider_name: name }: Wire): string | undefined {
  return typeof name === 'string' ? (MAKERS[name] ?? name) : undefined;
}

function sealOf(wire: Wire): Seal | undefined {
  const { signature, id } = wire;
  const value = textOf(signature) ?? '';
  const maker = makerOf(wire);
  if (maker === undefined) return value === '' ? undefined : { maker: 'unknown', form: 'signature', value };
  if (value === '') return typeof id === 'string' ? { maker, form: 'reference', value: id, id } : undefined;
  const redacted = typeof id === 'string' && id.startsWith('redacted_');
  const form = redacted ? 'redacted' : maker === 'openai' ? 'encrypted' : 'signature';
  return {
    maker,
    form,
    value,
    ...maybe('id', id === 'redacted_thinking' || id === 'redacted_content' ? undefined : textOf(id)),
  };
}

/** The signature that one provider puts on texts and calls. */
function signatureIn({ provider_details: details }: Wire, noting: Noting): Seal | undefined {
  const own = noting.inside('provider_details');
  own.loseKeys(details, SIGNATURE);
  const value = isRecord(details) ? details['thought_signature'] : undefined;
  const { path } = own.inside('thought_signature');
  return typeof value === 'string' ? { maker: 'google', form: 'signature', value, path } : undefined;
}

/** A call with what only a conversion asks for. */
function withItem(part: CallPart, wire: Wire, noting: Noting): CallPart {
  noting.loseKeys(wire, CALL);
  const seal = maybe('seal', signatureIn(wire, noting));
  if (part.server) return { ...part, runner: makerOf(wire) ?? A_PROVIDER, ...seal };
  return { ...part, ...maybe('item', textOf(wire['id'])), ...seal };
}

type Ending = { readonly shape: 'return' | 'retry' | 'server-return'; readonly noting: Noting | undefined };

function readResult(wire: Wire, at: Place, { shape, noting }: Ending): ResultPart {
  const { content } = wire;
  const text = readableText(content);
  const outcome = shape === 'retry' ? 'error' : (OUTCOMES.get(wire['outcome']) ?? outcomeOfText(text));
  const server = shape === 'server-return';
  const characters = charactersOf(content);
  const callId = idOf(wire) ?? '';
  const part: ResultPart = { kind: 'result', callId, tool: toolOf(wire), outcome, text, server, wire, at, characters };
  if (noting === undefined) return part;
  noting.loseKeys(wire, RESULT);
  const pieces = readPieces(content, noting.inside('content'));
  return { ...part, pieces, ...(server ? { runner: makerOf(wire) ?? A_PROVIDER } : {}) };
}

function toolOf(part: Wire): string {
  return textOf(nameOf(part)) ?? '';
}

function readFile(wire: Wire, at: Place, noting: Noting): Part {
  noting.loseKeys(wire, THOUGHT);
  const { content } = wire;
  const media = isRecord(content) ? readMedia(content, noting.inside('content')) : undefined;
  const common = { wire, at, characters: charactersOf(content) };
  return media === undefined ? { kind: 'opaque', ...common, what: 'a file' } : { kind: 'media', ...common, media };
}

const INLINE = /^data:/;

/** What a prompt says. Media among its words are named and not told: their bytes are no text. */
function promptText(content: unknown): string {
  if (!Array.isArray(content)) return readableText(content);
  return readableText((content as unknown[]).map((piece) => mediumName(piece) ?? piece));
}

/** What a picture, a file or a mark among the words is called; undefined for words, and for what nobody knows. */
function mediumName(piece: unknown): string | undefined {
  if (!isRecord(piece)) return undefined;
  const kind = readKey(piece, 'kind');
  if (typeof kind !== 'string' || typeof readKey(piece, 'content') === 'string') return undefined;
  if (kind === 'cache-point') return '';
  const type = readKey(piece, 'media_type') ?? readKey(piece, 'mediaType');
  const url = readKey(piece, 'url');
  const name = typeof type === 'string' ? type : kind;
  return typeof url === 'string' && !INLINE.test(url) ? `[${name}: ${url}]` : `[${name}]`;
}

const KINDS: ReadonlySet<unknown> = new Set(['image-url', 'audio-url', 'video-url', 'document-url', 'binary']);
const FILE = keys('kind url data media_type mediaType _media_type identifier _identifier');

/** Reads a picture or a file for a conversion; undefined for anything else. */
function readMedia(wire: Wire, noting: Noting): Media | undefined {
  const { kind, url, data } = wire;
  if (!KINDS.has(kind)) return undefined;
  const mime = textOf(wire['media_type'] ?? wire['mediaType']);
  const type = kind === 'binary' ? typeOfMime(mime ?? '') : (String(kind).slice(0, -4) as Media['type']);
  const media = typeof url === 'string' ? { type, url, ...maybe('mime', mime) } : fromData(data, type, mime);
  if (media === undefined) return undefined;
  noting.loseKeys(wire, FILE);
  return { ...media, ...maybe('name', textOf(wire['identifier'])) };
}

/** What a tool returned; files stand in its value, alone or in a list. */
function readPieces(content: unknown, noting: Noting): readonly Piece[] {
  if (isRecord(content)) return readValue(content, noting);
  if (!Array.isArray(content) || !content.some((each) => isRecord(each) && KINDS.has(each['kind'])))
    return toPieces(content);
  return (content as unknown[]).flatMap((each, i) => readValue(each, noting.inside(i)));
}

function readValue(value: unknown, noting: Noting): readonly Piece[] {
  const media = isRecord(value) ? readMedia(value, noting) : undefined;
  return media === undefined ? toPieces(value) : [{ kind: 'media', media: { ...media, path: noting.path } }];
}

/** Reads an entry of the older list of calls. */
function readLegacy(wire: unknown, at: Place, noting: Noting | undefined): Part {
  if (!isRecord(wire)) return placed(readOther(wire, at, noting), noting);
  const [id, tool, input] = [legacyId(wire), legacyName(wire), legacyInput(wire)];
  const characters = charactersOf(input) + charactersOf(tool);
  const common = { callId: idText(id) ?? '', tool: textOf(tool) ?? '', input };
  const part: CallPart = { kind: 'call', ...common, server: false, wire, at, characters };
  return noting === undefined ? part : placed(withItem(part, wire, noting), noting);
}

/** A message of a known kind keeps its other keys; anything else is read as messages of any shape are. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  if (isRecord(wire) && role !== undefined && listOf(wire) === undefined) {
    const content = contentOf(wire);
    const beside = Array.isArray(content) && content === legacyList(wire) ? { [legacyKey(wire)]: [] } : {};
    const found = read(withKeys(wire, { parts: coerce(content, role), ...beside }), index);
    const first = found.parts[0];
    if (first === undefined) return undefined;
    return { ...found, parts: [{ ...first, characters: contentCharacters(wire) }, ...found.parts.slice(1)] };
  }
  const found = salvageMessage(wire, index, {
    readParts: (speaker, parts) => readParts(parts, index, { role: speaker }),
    results: 'user',
  });
  return found?.role === 'system' ? { ...found, role: 'user', parts: found.parts.map(asSystemPrompt) } : found;
}

function coerce(content: unknown, role: Role): unknown[] {
  if (Array.isArray(content)) return content as unknown[];
  if (isRecord(content) && typeof kindOf(content) === 'string') return [content];
  const text = readableText(content);
  return text === '' || text === '{}' ? [] : [writePart(textPart(text, 0), role)];
}

function asSystemPrompt(part: Part): Part {
  if (part.kind !== 'text') return part;
  const { at, characters, text } = part;
  const wire = { part_kind: 'system-prompt', content: text };
  return at === undefined ? { kind: 'opaque', wire, characters } : { kind: 'opaque', wire, at, characters };
}
