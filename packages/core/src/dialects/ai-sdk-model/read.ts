import { idText } from '../../model/call-id.ts';
import { placed, type Noting } from '../../model/noting.ts';
import type { Mark, Media, Message, Part, Piece, Place, Role, Seal } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { charactersOf, isRecord, withKeys } from '../../model/value.ts';
import { callsBeside, NOT_BESIDE, readBeside, weighed, withParsedInput } from '../calls-beside.ts';
import { markOf, maybe, textOf } from '../conversion/keys.ts';
import { fromData, typeOfMime } from '../conversion/media.ts';
import { toPieces } from '../conversion/pieces.ts';
import { quotedCalls, readableText, salvageable, salvageMessage, strangerCharacters } from '../salvage.ts';
import {
  callCharacters,
  ClientCalls,
  inputOf,
  isBeside,
  isContent,
  isOutput,
  isSealed,
  isUnread,
  MAKERS,
  type Options,
  otherCharacters,
  outcomeOf,
  outputCharacters,
  outputOf,
  outputText,
  roleOf,
  shapeOf,
  type Shape,
} from './shape.ts';

type Wire = Record<string, unknown>;

/** Keys that a conversion makes something of. */
const MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);
const PART: ReadonlySet<string> = new Set(
  'type text toolCallId toolName input output result providerExecuted providerOptions'.split(' '),
);
const MEDIA: ReadonlySet<string> = new Set(['type', 'image', 'data', 'mediaType', 'filename', 'providerOptions']);
const PIECE: ReadonlySet<string> = new Set(['type', 'data', 'url', 'mediaType', 'filename']);

const SEALS: ReadonlySet<string> = new Set([
  'signature',
  'redactedData',
  'reasoningEncryptedContent',
  'itemId',
  'thoughtSignature',
]);
const SEALS_AND_MARKS: ReadonlySet<string> = new Set([...SEALS, 'cacheControl', 'cachePoint']);

/** Reads one wire message. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  const content = isRecord(wire) ? wire['content'] : undefined;
  if (role === undefined || !isContent(content, role) || isBeside(wire, role) || isUnread(wire as Wire)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  noting?.loseKeys(wire, MESSAGE);
  if (typeof content !== 'string') {
    return { role, parts: readParts(role, content as unknown[], { index, noting }), wire, at: index };
  }
  const only = textPart(content, content.length, { message: index, part: 0 });
  return { role, parts: [placed(only, noting?.part(0, 'content'))], wire, at: index };
}

type Standing = { readonly index: number; readonly noting?: Noting | undefined };

function readParts(role: Role, content: readonly unknown[], { index, noting }: Standing): Part[] {
  const calls = new ClientCalls(content);
  const parts: Part[] = [];
  for (let i = 0; i < content.length; i += 1) {
    const wire = content[i];
    const part = readPart(wire, shapeOf(wire, role, calls), { message: index, part: i });
    const own = noting?.part(i, 'content', i);
    parts.push(own === undefined ? part : placed(withOptions(part, own), own));
  }
  return parts;
}

function readPart(wire: unknown, { kind, server, unreadable }: Shape, at: Place): Part {
  if (!isRecord(wire) || unreadable) return { kind: 'opaque', wire, at, characters: strangerCharacters(wire) };
  const { toolCallId, toolName, text } = wire;
  switch (kind) {
    case 'text':
      return { kind, text: text as string, wire, at, characters: charactersOf(text) };
    case 'reasoning':
      return { kind, text: text as string, sealed: isSealed(wire), wire, at, characters: charactersOf(text) };
    case 'call': {
      const said = { tool: textOf(toolName) ?? '', input: inputOf(wire) };
      return { kind, callId: idText(toolCallId) ?? '', ...said, server, wire, at, characters: callCharacters(wire) };
    }
    case 'result':
      return {
        kind,
        callId: idText(toolCallId) ?? '',
        tool: textOf(toolName) ?? '',
        outcome: outcomeOf(wire),
        text: outputText(wire),
        server,
        wire,
        at,
        characters: outputCharacters(wire),
      };
    default:
      return { kind, wire, at, characters: otherCharacters(wire) };
  }
}

/** The same part with what a conversion needs of it. */
function withOptions(part: Part, noting: Noting): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  if (part.kind === 'opaque') return { ...part, what: textOf(wire['type']) ?? 'a part that cannot be read' };
  noting.loseKeys(wire, part.kind === 'media' ? MEDIA : PART);
  const { seal, cache, item } = readOptions(wire['providerOptions'], noting.inside('providerOptions'));
  // The id of an item seals nothing but reasoning.
  const signed = maybe('seal', seal?.form === 'reference' ? undefined : seal);
  switch (part.kind) {
    case 'text':
      return { ...part, ...signed, ...maybe('cache', cache), ...maybe('item', item) };
    case 'reasoning':
      return { ...part, ...maybe('seal', seal) };
    case 'call':
      return { ...part, ...signed, ...maybe('item', item) };
    case 'result':
      return { ...part, pieces: piecesOf(outputOf(wire), noting.inside('output')) };
    case 'media': {
      const media = mediaIn(wire, wire['image'] ?? wire['data']);
      return media === undefined ? { ...part, kind: 'opaque', what: 'a file' } : { ...part, media };
    }
  }
}

/** Reads the options that each provider has on a part, under whichever key they are. */
export function readOptions(held: unknown, noting: Noting): Options {
  if (!isRecord(held)) return {};
  noting.loseKeys(held, MAKERS);
  const found: { seal?: Seal; cache?: Mark; item?: string } = {};
  for (const maker of MAKERS) {
    const options = held[maker];
    if (!isRecord(options)) continue;
    const own = noting.inside(maker);
    own.loseKeys(options, SEALS_AND_MARKS);
    Object.assign(found, maybe('seal', sealOf(maker, options, own)));
    Object.assign(found, maybe('cache', markOf(options['cacheControl'] ?? options['cachePoint'], own)));
    Object.assign(found, maybe('item', textOf(options['itemId'])));
  }
  return found;
}

function sealOf(provider: string, options: Wire, { path }: Noting): Seal | undefined {
  const maker = provider === 'bedrock' ? 'anthropic' : provider;
  const { signature, redactedData, thoughtSignature, reasoningEncryptedContent: encrypted, itemId } = options;
  const id = maybe('id', textOf(itemId));
  if (typeof signature === 'string') return { maker, form: 'signature', value: signature, path };
  if (typeof redactedData === 'string') return { maker, form: 'redacted', value: redactedData, path };
  if (typeof thoughtSignature === 'string') return { maker, form: 'signature', value: thoughtSignature, path };
  if (typeof encrypted === 'string') return { maker, form: 'encrypted', value: encrypted, ...id, path };
  return typeof itemId === 'string' ? { maker, form: 'reference', value: itemId, id: itemId, path } : undefined;
}

/** What a file or an image shows; undefined for data in a form that nobody else can read. */
function mediaIn(wire: Wire, data: unknown): Media | undefined {
  const mime = textOf(wire['mediaType']);
  const type = String(wire['type']).startsWith('image') ? 'image' : typeOfMime(mime ?? '');
  const media = fromData(data, type, mime);
  return media === undefined ? undefined : { ...media, ...maybe('name', textOf(wire['filename'])) };
}

function piecesOf(output: unknown, noting: Noting): readonly Piece[] {
  if (!isOutput(output)) return toPieces(output);
  const { type, value, reason } = output;
  if (type === 'execution-denied') return toPieces(reason);
  if (type !== 'content' || !Array.isArray(value)) return toPieces(value);
  return (value as Wire[]).map((piece, i): Piece => {
    if (typeof piece['text'] === 'string') return { kind: 'text', text: piece['text'] };
    const media = mediaIn(piece, piece['data'] ?? piece['url']);
    if (media === undefined) return { kind: 'json', value: piece };
    const own = noting.inside('value', i);
    own.loseKeys(piece, PIECE);
    return { kind: 'media', media: { ...media, path: own.path } };
  });
}

/** Content in another form than its role has it becomes text, or the parts it consists of. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined || role === 'tool') {
    const found = salvageMessage(wire, index, {
      readParts: (as, content) => readParts(as, content, { index }),
      results: 'tool',
    });
    return found === undefined ? undefined : { ...found, parts: found.parts.map(asObject) };
  }
  const beside = callsBeside(wire);
  const calls = role === 'assistant' ? readBeside(beside).map(withParsedInput) : quotedCalls(beside, index);
  const content = isContent(wire['content'], role) ? wire['content'] : coerce(wire['content'], role);
  const gone = calls.length === 0 ? {} : NOT_BESIDE;
  const found = read(withKeys(wire, { content, ...gone }), index);
  const parts = [...found.parts.filter((part) => part.kind !== 'text' || part.text !== ''), ...calls];
  return parts.length === 0 ? undefined : { ...found, parts: weighed(parts, salvageable(wire)) };
}

/** A call of another format may have its arguments as text. */
function asObject(part: Part): Part {
  return part.kind === 'call' && part.wire === undefined ? withParsedInput(part) : part;
}

function coerce(content: unknown, role: Role): unknown {
  if (role !== 'system' && isRecord(content) && typeof content['type'] === 'string') return [content];
  return readableText(content);
}
