import type { Abilities, Choice, Conversion, Packed, Packing } from '../../model/conversion.ts';
import type { Lose, Spot } from '../../model/loss.ts';
import type { Media, Message, Outcome, Part, Piece, ResultPart, TextPart } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { isOutput, outputOf } from './part.ts';
import { A_PROVIDER, adapt, objectInput } from '../conversion/adapt.ts';
import { divide, resultText, toPieces } from '../conversion/pieces.ts';
import { carriesSeal, readOptions, writeOptions } from './crossing-options.ts';
import { inside, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { base64Of, fromData, mimeOf, publicUrl, shown, typeOfMime } from '../conversion/media.ts';
import { readToolSet, writeToolSet } from './crossing-tools.ts';
import { systemTexts } from '../conversion/system-texts.ts';

const OUTCOMES: ReadonlySet<Outcome> = new Set(['ok', 'unknown', 'error', 'denied']);
const PART: ReadonlySet<string> = new Set([
  'type',
  'text',
  'toolCallId',
  'toolName',
  'input',
  'output',
  'result',
  'providerExecuted',
  'providerOptions',
]);
const MEDIA: ReadonlySet<string> = new Set(['type', 'image', 'data', 'mediaType', 'filename', 'providerOptions']);

export const CAN: Abilities = {
  seals: carriesSeal,
  thoughts: true,
  server: () => true,
  outcomes: OUTCOMES,
  caches: true,
  items: true,
};

/** Where the AI SDK has its settings; its two dialects share them. */
export const SETTINGS: Conversion['settings'] = {
  maxTokens: [['maxOutputTokens']],
  temperature: [['temperature']],
  topP: [['topP']],
  topK: [['topK']],
  stop: [['stopSequences']],
  seed: [['seed']],
};

/** What crosses between the model messages of the AI SDK and others. */
export const aiSdkModel: Conversion = {
  systemKey: 'instructions',
  settings: SETTINGS,
  fields: new Set(['messages', 'model', 'instructions', 'system', 'tools', 'toolChoice']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, max: 128 },
  choicePath: '/toolChoice',
  can: () => CAN,
  unpack,
  pack,
  system: readInstructions,
  withSystem: writeInstructions,
  tools: readToolSet,
  withTools: writeToolSet,
  choice: ({ toolChoice }) => readChoice(toolChoice),
  withChoice: writeChoice,
};

export function readInstructions(body: Readonly<Wire>): readonly Part[] {
  const key = body['instructions'] === undefined ? 'system' : 'instructions';
  const { [key]: held } = body;
  const list: unknown[] = Array.isArray(held) ? held : [held];
  return list.flatMap((each, i) => {
    const spot = { at: { message: -1 }, path: Array.isArray(held) ? `/${key}/${String(i)}` : `/${key}` };
    const text = textOf(isRecord(each) ? each['content'] : each);
    return text === undefined || text === '' ? [] : [{ kind: 'text', text, characters: 0, ...spot }];
  });
}

export function writeInstructions(parts: readonly Part[], how: Packing): unknown {
  const { parts: adapted } = adapt({ role: 'system', parts, at: -1, path: '' }, { ...CAN, caches: false }, how.lose);
  const texts = systemTexts(adapted, how.lose).map(({ text }) => text);
  return texts.length === 1 ? texts[0] : texts.map((content) => ({ role: 'system', content }));
}

export function readChoice(choice: unknown): Choice | undefined {
  if (choice === 'auto' || choice === 'none') return { mode: choice };
  if (choice === 'required') return { mode: 'any' };
  const name = isRecord(choice) ? textOf(choice['toolName']) : undefined;
  return name === undefined ? undefined : { mode: 'any', names: [name] };
}

export function writeChoice({ mode, names = [] }: Choice): Wire | undefined {
  const [toolName, ...more] = names;
  if (toolName === undefined) return { toolChoice: mode === 'any' ? 'required' : mode };
  return mode === 'any' && more.length === 0 ? { toolChoice: { type: 'tool', toolName } } : undefined;
}

const MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);

function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const spot = { at: { message: at }, path };
  loseKeys(wire, MESSAGE, { spot, lose });
  const listed = isRecord(wire) && Array.isArray(wire['content']);
  const parts = message.parts.map((part, i) => {
    const own = listed ? inside(spot, 'content', i) : inside(spot, 'content');
    return readPart(part, { ...own, at: { message: at, part: i } }, lose);
  });
  return [{ role, parts, at, path }];
}

function readPart(part: Part, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  if (part.kind === 'opaque') {
    return { kind: 'opaque', characters: 0, what: textOf(wire['type']) ?? 'a part that cannot be read', ...spot };
  }
  loseKeys(part.wire, part.kind === 'media' ? MEDIA : PART, { spot, lose });
  const { seal, cache, item } = readOptions(wire['providerOptions'], inside(spot, 'providerOptions'), lose);
  switch (part.kind) {
    case 'text':
      return {
        ...part,
        ...maybe('seal', open(seal)),
        ...maybe('cache', cache),
        ...maybe('item', item),
        ...spot,
      };
    case 'reasoning':
      return { ...part, ...maybe('seal', seal), ...spot };
    case 'call': {
      const runner = part.server ? { runner: A_PROVIDER } : {};
      return {
        ...part,
        ...runner,
        ...maybe('seal', open(seal)),
        ...maybe('item', item),
        ...spot,
      };
    }
    case 'result':
      return readResult(part, wire, { spot, lose });
    case 'media': {
      const media = mediaOf(wire);
      return media === undefined
        ? { kind: 'opaque', characters: 0, what: 'a file', ...spot }
        : { kind: 'media', characters: 0, media, ...spot };
    }
  }
}

/** The id of an item seals nothing but reasoning. */
function open<S extends { form: string }>(seal: S | undefined): S | undefined {
  return seal?.form === 'reference' ? undefined : seal;
}

type Reading = { readonly spot: Spot; readonly lose: Lose };

function readResult(part: ResultPart, wire: Wire, { spot, lose }: Reading): Part {
  const { server } = part;
  const output = outputOf(wire);
  const pieces = part.wire === undefined ? toPieces(part.text) : piecesOf(output, inside(spot, 'output'), lose);
  return { ...part, pieces, ...(server ? { runner: A_PROVIDER } : {}), ...spot };
}

function piecesOf(output: unknown, spot: Spot, lose: Lose): readonly Piece[] {
  if (!isOutput(output)) return toPieces(output);
  const { type, value, reason } = output;
  if (type === 'execution-denied') return toPieces(reason);
  if (type !== 'content' || !Array.isArray(value)) return toPieces(value);
  return (value as unknown[]).map((piece, i): Piece => {
    const wire: Wire = isRecord(piece) ? piece : {};
    if (typeof wire['text'] === 'string') return { kind: 'text', text: wire['text'] };
    const own = inside(spot, 'value', i);
    const media = pieceMedia(wire);
    if (media !== undefined) loseKeys(wire, PIECE, { spot: own, lose });
    return media === undefined
      ? { kind: 'json', value: piece }
      : { kind: 'media', media: { ...media, path: own.path } };
  });
}

const PIECE: ReadonlySet<string> = new Set(['type', 'data', 'url', 'mediaType', 'filename']);

function pieceMedia(wire: Wire): Media | undefined {
  const mime = textOf(wire['mediaType']);
  const image = String(wire['type']).startsWith('image');
  const type = image ? 'image' : typeOfMime(mime ?? '');
  const media = fromData(wire['data'] ?? wire['url'], type, mime);
  return media === undefined ? undefined : { ...media, ...maybe('name', textOf(wire['filename'])) };
}

function mediaOf(wire: Wire): Media | undefined {
  const mime = textOf(wire['mediaType']);
  const type = wire['type'] === 'image' ? 'image' : typeOfMime(mime ?? '');
  const media = fromData(wire['image'] ?? wire['data'], type, mime);
  return media === undefined ? undefined : { ...media, ...maybe('name', textOf(wire['filename'])) };
}

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  return messages.flatMap((from): readonly Packed[] => {
    const adapted = adapt(from, CAN, how.lose);
    const { role } = adapted;
    if (role === 'system') return packSystem(systemTexts(adapted.parts, how.lose), from);
    const results = role === 'assistant' ? [] : adapted.parts.filter((part) => part.kind === 'result');
    const rest = role === 'assistant' ? adapted.parts : adapted.parts.filter((part) => part.kind !== 'result');
    const tool = results.length === 0 ? [] : [packed('tool', results, { from, how })];
    const spoken = packed(role === 'assistant' ? role : 'user', rest, { from, how });
    const silent = (spoken.wire as { content: unknown[] }).content.length === 0;
    return silent && from.parts.length > 0 ? tool : [...tool, spoken];
  });
}

function packSystem(texts: readonly TextPart[], from: Message): readonly Packed[] {
  return texts.map((part) => ({ wire: { role: 'system', content: part.text }, from, parts: [part] }));
}

type Around = { readonly from: Message; readonly how: Packing };

function packed(role: 'user' | 'assistant' | 'tool', parts: readonly Part[], { from, how }: Around): Packed {
  const written = parts.map((part) => ({ part, wires: writePart(part, how) }));
  const content = written.flatMap(({ wires }) => wires);
  const [only] = content;
  const plain = content.length === 1 && role === 'user' && only?.['type'] === 'text' && Object.keys(only).length === 2;
  const wire = { role, content: plain ? only['text'] : content };
  return { wire, from, parts: written.flatMap(({ part, wires }) => wires.map(() => part)) };
}

function writePart(part: Part, how: Packing): readonly Wire[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, ...maybe('providerOptions', writeOptions(part)) }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...maybe('providerOptions', writeOptions(part)) }];
    case 'call': {
      const named = {
        type: 'tool-call',
        toolCallId: part.callId,
        toolName: part.tool,
        input: objectInput(part, how.lose),
      };
      const ran = !part.server ? {} : { providerExecuted: true };
      return [{ ...named, ...ran, ...maybe('providerOptions', writeOptions(part)) }];
    }
    case 'result':
      return [
        { type: 'tool-result', toolCallId: part.callId, toolName: part.tool ?? '', output: writeOutput(part, how) },
      ];
    case 'media':
      return shown(part, part.media, { wire: part.media && writeMedia(part.media), why: NO_MEDIA, lose: how.lose });
    case 'opaque':
      return [];
  }
}

const NO_MEDIA = 'the target takes no such media';
const ONLY_TEXT = { wire: undefined, why: 'an error holds only text there' };

/** The output of a tool in the form that the framework has for it. */
function writeOutput(part: ResultPart, how: Packing): Wire {
  const { pieces = [], outcome } = part;
  const [only] = pieces;
  const json = pieces.length === 1 && only?.kind === 'json';
  if (outcome !== 'ok')
    for (const { media } of divide(pieces).media) shown(part, media, { ...ONLY_TEXT, lose: how.lose });
  if (outcome === 'denied') return { type: 'execution-denied', reason: resultText(pieces) };
  if (outcome === 'error')
    return json ? { type: 'error-json', value: only.value } : { type: 'error-text', value: resultText(pieces) };
  if (json) return { type: 'json', value: only.value };
  if (only === undefined || (pieces.length === 1 && only.kind === 'text'))
    return { type: 'text', value: resultText(pieces) };
  return { type: 'content', value: pieces.flatMap((piece) => writePiece(piece, part, how)) };
}

function writePiece(piece: Piece, part: ResultPart, how: Packing): readonly Wire[] {
  if (piece.kind !== 'media') return [{ type: 'text', text: resultText([piece]) }];
  return shown(part, piece.media, { wire: pieceWire(piece.media), why: NO_MEDIA, lose: how.lose });
}

function pieceWire(media: Media): Wire | undefined {
  const url = publicUrl(media);
  const filename = maybe('filename', media.name);
  if (url !== undefined) return { type: 'file-url', url, ...maybe('mediaType', media.mime), ...filename };
  const data = base64Of(media);
  return data === undefined ? undefined : { type: 'file-data', data, mediaType: mimeOf(media), ...filename };
}

function writeMedia(media: Media): Wire | undefined {
  const data = media.url ?? base64Of(media);
  if (data === undefined) return undefined;
  return { type: 'file', data, mediaType: mimeOf(media), ...maybe('filename', media.name) };
}
