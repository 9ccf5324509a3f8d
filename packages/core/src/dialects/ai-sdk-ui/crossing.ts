import { fingerprint } from '../../model/call-id.ts';
import type { Abilities, Conversion, Packed, Packing } from '../../model/conversion.ts';
import type { Lose, Spot } from '../../model/loss.ts';
import type { CallPart, Media, Message, Part, ResultPart } from '../../model/part.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { pointer } from './message.ts';
import { A_PROVIDER, adapt, objectInput } from '../conversion/adapt.ts';
import { divide, piecesOf, resultText, toPieces } from '../conversion/pieces.ts';
import { CAN as MODEL, conversion as model } from '../ai-sdk-model/request.ts';
import { readOptions } from '../ai-sdk-model/read.ts';
import { writeOptions } from '../ai-sdk-model/write.ts';
import { Noting } from '../../model/noting.ts';
import { inside, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { dataUrl, fromUrl, mimeOf, shown, typeOfMime } from '../conversion/media.ts';

const CAN: Abilities = { ...MODEL, caches: false };

const MESSAGE: ReadonlySet<string> = new Set(['id', 'role', 'parts']);
const PART: ReadonlySet<string> = new Set([
  'type',
  'text',
  'state',
  'toolCallId',
  'toolName',
  'input',
  'rawInput',
  'output',
  'errorText',
  'providerExecuted',
  'providerMetadata',
  'callProviderMetadata',
  'approval',
]);
const APPROVAL: ReadonlySet<string> = new Set();
const DENIAL: ReadonlySet<string> = new Set(['reason']);
const MEDIA: ReadonlySet<string> = new Set(['type', 'url', 'mediaType', 'filename', 'providerMetadata']);

/** What crosses between the messages of the AI SDK's user interface and others. */
export const aiSdkUi: Conversion = { ...model, can: () => CAN, unpack, pack };

/** One message of the interface may hold several steps: each is an answer, followed by what came of its calls. */
function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const spot = { at: { message: at }, path };
  loseKeys(wire, MESSAGE, { spot, lose });
  loseId(wire, spot, lose);
  const steps: Message[] = [];
  let said: Part[] = [];
  let results: Part[] = [];
  const flush = (): void => {
    if (said.length > 0) steps.push({ role, parts: said, at, path, ...(role === 'assistant' ? { opens: true } : {}) });
    if (results.length > 0) steps.push({ role: 'tool', parts: results, at, path });
    [said, results] = [[], []];
  };
  for (const [i, part] of message.parts.entries()) {
    const own = { at: { message: at, part: i }, path: path + pointer(wire, i) };
    const carried = readPart(part, own, lose);
    const begins = isStep(part) || (results.length > 0 && part.kind !== 'call' && part.kind !== 'result');
    if (begins) flush();
    if (isStep(part)) continue;
    if (carried.kind === 'result' && !carried.server) results.push(carried);
    else said.push(carried);
  }
  flush();
  return steps.length === 0 ? [{ role, parts: [], at, path }] : steps;
}

function loseId(wire: unknown, spot: Spot, lose: Lose): void {
  const id = isRecord(wire) ? textOf(wire['id']) : undefined;
  if (id === undefined || id === '') return;
  lose(inside(spot, 'id'), { kind: 'id', what: `the message ${id}`, why: 'messages have no ids elsewhere' });
}

function isStep({ wire }: Part): boolean {
  return isRecord(wire) && wire['type'] === 'step-start';
}

function readPart(part: Part, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  if (part.kind === 'opaque') {
    return { kind: 'opaque', characters: 0, what: textOf(wire['type']) ?? 'a part that cannot be read', ...spot };
  }
  if (part.kind === 'result') return readResult(part, wire, spot);
  loseKeys(part.wire, part.kind === 'media' ? MEDIA : PART, { spot, lose });
  const denied = wire['state'] === 'output-denied' || wire['state'] === 'approval-responded';
  loseKeys(wire['approval'], denied ? DENIAL : APPROVAL, { spot: inside(spot, 'approval'), lose });
  const key = part.kind === 'call' ? 'callProviderMetadata' : 'providerMetadata';
  const { seal, item } = readOptions(wire[key], new Noting(inside(spot, key), lose));
  switch (part.kind) {
    case 'text':
      return {
        ...part,
        ...maybe('seal', seal?.form === 'reference' ? undefined : seal),
        ...maybe('item', item),
        ...spot,
      };
    case 'reasoning':
      return { ...part, ...maybe('seal', seal), ...spot };
    case 'call': {
      const { server } = part;
      const signed = maybe('seal', seal?.form === 'reference' ? undefined : seal);
      const runner = server ? { runner: A_PROVIDER } : {};
      return { ...part, ...runner, ...signed, ...maybe('item', item), ...spot };
    }
    case 'media':
      return readMedia(wire, spot);
  }
}

function readResult(part: ResultPart, wire: Wire, spot: Spot): Part {
  const { server, text } = part;
  const pieces = wire['state'] === 'output-available' ? toPieces(wire['output']) : toPieces(text);
  return { ...part, pieces, ...(server ? { runner: A_PROVIDER } : {}), ...spot };
}

function readMedia({ url, mediaType, filename }: Wire, spot: Spot): Part {
  const mime = textOf(mediaType);
  if (typeof url !== 'string') return { kind: 'opaque', characters: 0, what: 'a file', ...spot };
  const media = fromUrl(url, typeOfMime(mime ?? ''), mime);
  return { kind: 'media', characters: 0, media: { ...media, ...maybe('name', textOf(filename)) }, ...spot };
}

/** A call and its result are one part here, so results are looked up where their calls are written. */
function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  const adapted = messages.map((message) => adapt(message, CAN, how.lose));
  const used = new Set<ResultPart>();
  return adapted.flatMap((message, i): Packed[] => {
    const from = messages[i] ?? message;
    const answers = message.role === 'assistant' ? resultsAfter(adapted, i) : [];
    const writing: Writing = { how, answers: byId([...answers, ...serverResults(message)]), used };
    // Calls come first, because a result that one of them takes is not told a second time.
    const calls = new Map<Part, readonly Wire[]>();
    for (const part of message.parts) if (part.kind === 'call') calls.set(part, writePart(part, message.role, writing));
    const kept = message.parts.filter((part) => part.kind !== 'result' || !used.has(part));
    const written = kept.map((part) => ({ part, wires: calls.get(part) ?? writePart(part, message.role, writing) }));
    const parts = written.flatMap(({ wires }) => wires);
    if (parts.length === 0 && from.parts.length > 0) return [];
    const role = message.role === 'tool' ? 'user' : message.role;
    const id = `msg_${fingerprint(`${String(i)} ${readableJson(parts)}`)}`;
    return [{ wire: { id, role, parts }, from, parts: written.flatMap(({ part, wires }) => wires.map(() => part)) }];
  });
}

function serverResults({ parts }: Message): ResultPart[] {
  return parts.filter((part) => part.kind === 'result');
}

/** Results up to the next answer. */
function resultsAfter(messages: readonly Message[], index: number): ResultPart[] {
  const found: ResultPart[] = [];
  for (let i = index + 1; i < messages.length && messages[i]?.role !== 'assistant'; i += 1) {
    for (const part of messages[i]?.parts ?? []) if (part.kind === 'result') found.push(part);
  }
  return found;
}

/** Results by the id of their call, in order. */
type Answers = ReadonlyMap<string, ResultPart[]>;

function byId(results: readonly ResultPart[]): Answers {
  const answers = new Map<string, ResultPart[]>();
  for (const result of results) {
    const same = answers.get(result.callId);
    if (same === undefined) answers.set(result.callId, [result]);
    else same.push(result);
  }
  return answers;
}

type Writing = { readonly how: Packing; readonly answers: Answers; readonly used: Set<ResultPart> };

function writePart(part: Part, role: string, writing: Writing): readonly Wire[] {
  const { how, answers, used } = writing;
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, ...maybe('providerMetadata', writeOptions(part)) }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...maybe('providerMetadata', writeOptions(part)) }];
    case 'call': {
      const result = part.callId === '' ? undefined : answers.get(part.callId)?.shift();
      if (result !== undefined) used.add(result);
      return [writeTool(part, result, how)];
    }
    case 'result':
      // A result without its call has no place in this dialect.
      how.lose(part, {
        kind: 'result',
        what: 'a result without its call',
        became: 'text',
        why: 'only calls have results there',
      });
      return [{ type: 'text', text: `[tool output] ${resultText(piecesOf(part))}` }];
    case 'media':
      if (role === 'system') return shown(part, part.media, { wire: undefined, why: NO_MEDIA, lose: how.lose });
      return shown(part, part.media, { wire: part.media && writeMedia(part.media), why: NO_MEDIA, lose: how.lose });
    case 'opaque':
      return [];
  }
}

const NO_MEDIA = 'the target takes no such media';

function writeTool(part: CallPart, result: ResultPart | undefined, how: Packing): Wire {
  const { callId: id, tool, server } = part;
  const call = {
    type: `tool-${tool}`,
    toolCallId: id,
    state: 'input-available',
    input: objectInput(part, how.lose),
    ...(server ? { providerExecuted: true } : {}),
    ...maybe('callProviderMetadata', writeOptions(part)),
  };
  if (result === undefined) return call;
  for (const { media } of divide(piecesOf(result)).media)
    shown(result, media, { wire: undefined, why: 'an output holds no media there', lose: how.lose });
  if (result.outcome === 'denied') {
    const approval = { id, approved: false, reason: resultText(piecesOf(result)) };
    return { ...call, state: 'output-denied', approval };
  }
  if (result.outcome === 'error') return { ...call, state: 'output-error', errorText: resultText(piecesOf(result)) };
  return { ...call, state: 'output-available', output: outputOf(result) };
}

function outputOf({ pieces = [] }: ResultPart): unknown {
  const values = pieces.flatMap((piece): unknown[] => {
    if (piece.kind === 'media') return [];
    return piece.kind === 'json' ? [piece.value] : [piece.text];
  });
  return values.length > 1 ? values : (values[0] ?? '');
}

function writeMedia(media: Media): Wire | undefined {
  const url = media.url ?? dataUrl(media);
  return url === undefined
    ? undefined
    : { type: 'file', url, mediaType: mimeOf(media), ...maybe('filename', media.name) };
}
