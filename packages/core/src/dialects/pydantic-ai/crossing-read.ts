import type { Lose, Spot } from '../../model/loss.ts';
import type { CallPart, Media, Message, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isRecord, readableJson } from '../../model/value.ts';
import { legacyKey, legacyList } from '../legacy-calls.ts';
import { A_PROVIDER } from '../conversion/adapt.ts';
import { toPieces } from '../conversion/pieces.ts';
import { inside, loseKeys, markOf, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { fromData, typeOfMime } from '../conversion/media.ts';

const MESSAGE: ReadonlySet<string> = new Set(['kind', 'parts', 'instructions', 'tool_calls', 'toolCalls']);
const TEXT: ReadonlySet<string> = new Set(['part_kind', 'partKind', 'content']);
const CALL: ReadonlySet<string> = new Set([
  'part_kind',
  'partKind',
  'tool_name',
  'toolName',
  'args',
  'tool_call_id',
  'toolCallId',
  'id',
  'provider_name',
  'provider_details',
]);
const RESULT: ReadonlySet<string> = new Set([...CALL, 'content', 'outcome']);
const THOUGHT: ReadonlySet<string> = new Set([...TEXT, 'id', 'signature', 'provider_name', 'provider_details']);

const SIGNED_TEXT: ReadonlySet<string> = new Set([...TEXT, 'id', 'provider_name', 'provider_details']);
const SIGNATURE: ReadonlySet<string> = new Set(['thought_signature']);
const NONE: ReadonlySet<string> = new Set();

/** Where a provider keeps reasoning under another name than the framework has for it. */
const MAKERS: Readonly<Record<string, string>> = {
  'google-gla': 'google',
  'google-vertex': 'google',
  bedrock: 'anthropic',
};

/** Reads what the codec has read of a request or a response. */
export function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const spot = { at: { message: at }, path };
  loseKeys(wire, MESSAGE, { spot, lose });
  const fields: Wire = isRecord(wire) ? wire : {};
  const own = Array.isArray(fields['parts']) ? fields['parts'].length : message.parts.length;
  const list = legacyList(fields) === undefined ? undefined : legacyKey(fields);
  const parts = message.parts.map((part, i) => {
    const here = i < own || list === undefined ? inside(spot, 'parts', i) : inside(spot, list);
    return { part, spot: { ...here, at: { message: at, part: i } } };
  });
  const { instructions } = fields;
  const told = inside(spot, 'instructions');
  const system = parts.filter(({ part }) => isSystem(part));
  const texts = system.map(({ part, spot: own }): Part => readSystem(part, own, lose));
  const asked: Part[] =
    typeof instructions === 'string' && instructions !== ''
      ? [{ kind: 'text', characters: 0, text: instructions, standing: true, ...told }]
      : [];
  const said = parts.filter(({ part }) => !isSystem(part)).flatMap((each) => readPart(each.part, each.spot, lose));
  const leading = [...texts, ...asked];
  return [
    ...(leading.length === 0 ? [] : [{ role: 'system', parts: leading, at, path } as const]),
    ...(said.length === 0 && leading.length > 0 ? [] : [{ role, parts: said, at, path }]),
  ];
}

function kindOf(part: Part): unknown {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  return wire['part_kind'] ?? wire['partKind'];
}

function isSystem(part: Part): boolean {
  return kindOf(part) === 'system-prompt';
}

function readSystem(part: Part, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, TEXT, { spot, lose });
  return { kind: 'text', characters: 0, text: textOf(wire['content']) ?? readableJson(wire['content']), ...spot };
}

function readPart(part: Part, spot: Spot, lose: Lose): readonly Part[] {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      return readText(part.text, wire, { spot, lose });
    case 'reasoning':
      loseKeys(wire, THOUGHT, { spot, lose });
      loseKeys(wire['provider_details'], NONE, { spot: inside(spot, 'provider_details'), lose });
      return [{ ...part, ...maybe('seal', sealOf(wire)), ...spot }];
    case 'call':
      return [readCall(part, spot, lose)];
    case 'result':
      return [readResult(part, spot, lose)];
    case 'media': {
      loseKeys(wire, THOUGHT, { spot, lose });
      const media = isRecord(wire['content']) ? readMedia(wire['content'], inside(spot, 'content'), lose) : undefined;
      return [
        media === undefined
          ? { kind: 'opaque', characters: 0, what: 'a file', ...spot }
          : { kind: 'media', characters: 0, media, ...spot },
      ];
    }
    case 'opaque':
      return [{ kind: 'opaque', characters: 0, what: textOf(kindOf(part)) ?? 'a part that cannot be read', ...spot }];
  }
}

type Reading = { readonly spot: Spot; readonly lose: Lose };

function readText(text: string, wire: Wire, { spot, lose }: Reading): readonly Part[] {
  loseKeys(wire, SIGNED_TEXT, { spot, lose });
  loseKeys(wire['provider_details'], SIGNATURE, { spot: inside(spot, 'provider_details'), lose });
  const { content } = wire;
  if (!Array.isArray(content))
    return [
      {
        kind: 'text',
        text,
        characters: 0,
        ...maybe('seal', signedBy(wire, spot)),
        ...maybe('item', textOf(wire['id'])),
        ...spot,
      },
    ];
  const said: Part[] = [];
  for (const [i, each] of (content as unknown[]).entries()) {
    const own = inside(spot, 'content', i);
    const media = isRecord(each) ? readMedia(each, own, lose) : undefined;
    const last = said.at(-1);
    if (typeof each === 'string') said.push({ kind: 'text', characters: 0, text: each, ...own });
    else if (media !== undefined) said.push({ kind: 'media', characters: 0, media, ...own });
    else if (isCachePoint(each) && last?.kind === 'text')
      said[said.length - 1] = { ...last, cache: markOf(each, own) ?? own };
    else said.push({ kind: 'opaque', characters: 0, what: whatIs(each), ...maybe('text', textIn(each)), ...own });
  }
  return said;
}

function isCachePoint(value: unknown): boolean {
  return isRecord(value) && value['kind'] === 'cache-point';
}

function whatIs(value: unknown): string {
  return (isRecord(value) ? textOf(value['kind']) : undefined) ?? 'a piece that cannot be read';
}

function textIn(value: unknown): string | undefined {
  return isRecord(value) ? textOf(value['content'] ?? value['text']) : undefined;
}

function sealOf(wire: Wire): Seal | undefined {
  const { signature, id, provider_name: provider } = wire;
  if (typeof provider !== 'string') {
    return typeof signature === 'string' && signature !== ''
      ? { maker: 'unknown', form: 'signature', value: signature }
      : undefined;
  }
  const maker = MAKERS[provider] ?? provider;
  const named = maybe('id', id === 'redacted_thinking' || id === 'redacted_content' ? undefined : textOf(id));
  if (typeof signature !== 'string' || signature === '') {
    return typeof id === 'string' ? { maker, form: 'reference', value: id, id } : undefined;
  }
  const form =
    typeof id === 'string' && id.startsWith('redacted_') ? 'redacted' : maker === 'openai' ? 'encrypted' : 'signature';
  return { maker, form, value: signature, ...named };
}

/** The signature that one provider puts on texts and calls. */
function signedBy({ provider_details: details }: Wire, spot: Spot): Seal | undefined {
  const value = isRecord(details) ? details['thought_signature'] : undefined;
  const { path } = inside(spot, 'provider_details', 'thought_signature');
  return typeof value === 'string' ? { maker: 'google', form: 'signature', value, path } : undefined;
}

function providerOf(wire: Wire): string {
  const name = textOf(wire['provider_name']) ?? A_PROVIDER;
  return MAKERS[name] ?? name;
}

function readCall(part: CallPart, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, CALL, { spot, lose });
  const { server } = part;
  const { provider_details: details } = wire;
  const seal = signedBy(wire, spot);
  if (isRecord(details)) loseKeys(details, SIGNATURE, { spot: inside(spot, 'provider_details'), lose });
  const item = server ? undefined : textOf(wire['id']);
  const runner = server ? { runner: providerOf(wire) } : {};
  return { ...part, ...runner, ...maybe('item', item), ...maybe('seal', seal), ...spot };
}

function readResult(part: ResultPart, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  loseKeys(wire, RESULT, { spot, lose });
  const { server } = part;
  const pieces =
    part.wire === undefined ? toPieces(part.text) : piecesOf(wire['content'], inside(spot, 'content'), lose);
  return { ...part, pieces, ...(server ? { runner: providerOf(wire) } : {}), ...spot };
}

/** Files that a tool returned stand in its value, alone or in a list. */
function piecesOf(content: unknown, spot: Spot, lose: Lose): readonly Piece[] {
  if (isRecord(content)) {
    const media = readMedia(content, spot, lose);
    return media === undefined ? toPieces(content) : [{ kind: 'media', media: { ...media, path: spot.path } }];
  }
  if (!Array.isArray(content) || !content.some((each) => isRecord(each) && KINDS.has(each['kind'])))
    return toPieces(content);
  return (content as unknown[]).flatMap((each, i): readonly Piece[] => {
    const media = isRecord(each) ? readMedia(each, inside(spot, i), lose) : undefined;
    return media === undefined ? toPieces(each) : [{ kind: 'media', media: { ...media, path: inside(spot, i).path } }];
  });
}

const KINDS: ReadonlySet<unknown> = new Set(['image-url', 'audio-url', 'video-url', 'document-url', 'binary']);
const FILE: ReadonlySet<string> = new Set([
  'kind',
  'url',
  'data',
  'media_type',
  'mediaType',
  '_media_type',
  'identifier',
  '_identifier',
]);

function readMedia(wire: Wire, spot: Spot, lose: Lose): Media | undefined {
  const { kind, url, data } = wire;
  if (!KINDS.has(kind)) return undefined;
  const mime = textOf(wire['media_type'] ?? wire['mediaType']);
  const name = textOf(wire['identifier']);
  const type = kind === 'binary' ? typeOfMime(mime ?? '') : (String(kind).slice(0, -4) as Media['type']);
  const media = typeof url === 'string' ? { type, url, ...maybe('mime', mime) } : fromData(data, type, mime);
  if (media === undefined) return undefined;
  loseKeys(wire, FILE, { spot, lose });
  return { ...media, ...maybe('name', name) };
}
