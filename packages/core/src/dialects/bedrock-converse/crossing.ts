import type { Abilities, Choice, Conversion, Packed, Packing, ToolSpec } from '../../model/conversion.ts';
import type { Lose, Spot } from '../../model/loss.ts';
import type { Media, Message, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isBlank, isRecord } from '../../model/value.ts';
import { readParts } from './message.ts';
import { adapt, loseBlank, objectInput, OK_OR_ERROR } from '../conversion/adapt.ts';
import { pieceText, toPieces } from '../conversion/pieces.ts';
import { inOrder } from '../anthropic-messages/request.ts';
import { readMember, readPieces, writeMedia } from './crossing-media.ts';
import { inside, listIn, loseKeys, markOf, maybe, textOf, timeOf, type Wire } from '../conversion/keys.ts';
import { shown } from '../conversion/media.ts';

/** The reasoning that is signed here is that of Claude, whose signatures are valid on every platform. */
const MAKER = 'anthropic';
const SERVICE = 'amazon';

const MESSAGE: ReadonlySet<string> = new Set(['role', 'content']);
const CALL: ReadonlySet<string> = new Set(['toolUseId', 'name', 'input', 'type']);
const RESULT: ReadonlySet<string> = new Set(['toolUseId', 'content', 'status', 'type']);
const SPEC: ReadonlySet<string> = new Set(['name', 'description', 'inputSchema', 'strict']);

function abilities({ profile }: Packing): Abilities {
  return {
    seals: ({ maker, form }) =>
      maker === MAKER && profile.reasoningSigned !== false && (form === 'signature' || form === 'redacted'),
    thoughts: false,
    server: () => false,
    outcomes: OK_OR_ERROR,
    caches: Number.isFinite(profile.maxCacheMarkers),
  };
}

/** What crosses between the Converse API of Amazon Bedrock and others. */
export const bedrockConverse: Conversion = {
  systemKey: 'system',
  settings: {
    maxTokens: [['inferenceConfig', 'maxTokens']],
    temperature: [['inferenceConfig', 'temperature']],
    topP: [['inferenceConfig', 'topP']],
    stop: [['inferenceConfig', 'stopSequences']],
  },
  fields: new Set(['messages', 'model', 'modelId', 'system', 'toolConfig']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, max: 64 },
  choicePath: '/toolConfig/toolChoice',
  can: abilities,
  unpack,
  pack,
  system: ({ system }, lose) => {
    const spot = { at: { message: -1 }, path: '/system' };
    const list = Array.isArray(system) ? (system as unknown[]) : [];
    return markCaches(readParts('system', list, -1).map((part, i) => readPart(part, inside(spot, i), lose)));
  },
  withSystem: (parts, how) => {
    const adapted = adapt({ role: 'system', parts, at: -1, path: '' }, abilities(how), how.lose).parts;
    return adapted.flatMap((part) => writePart(part, 'system', how));
  },
  tools: ({ toolConfig }, lose) => listIn(toolConfig, 'tools').flatMap((tool, i) => readTool(tool, i, lose)),
  withTools: (tools) => ({ toolConfig: { tools: tools.map(writeTool) } }),
  choice: ({ toolConfig }) => readChoice(isRecord(toolConfig) ? toolConfig['toolChoice'] : undefined),
  withChoice: ({ mode, names = [] }) => {
    const [name, ...more] = names;
    if (mode === 'none' || more.length > 0 || (name !== undefined && mode === 'auto')) return undefined;
    return { toolConfig: { toolChoice: name === undefined ? { [mode]: {} } : { tool: { name } } } };
  },
};

function readTool(tool: unknown, index: number, lose: Lose): readonly ToolSpec[] {
  const spot = inside({ at: { message: -1 }, path: '/toolConfig' }, 'tools', index);
  const spec = isRecord(tool) ? tool['toolSpec'] : undefined;
  if (!isRecord(spec) || typeof spec['name'] !== 'string') {
    const what = Object.keys(isRecord(tool) ? tool : {})[0] ?? 'a tool';
    const kind = what === 'cachePoint' ? 'key' : 'tool';
    lose(spot, { kind, what, why: 'the target has no place for it' });
    return [];
  }
  loseKeys(spec, SPEC, { spot: inside(spot, 'toolSpec'), lose });
  const { inputSchema: held } = spec;
  const schema = isRecord(held) ? held['json'] : undefined;
  const strict = spec['strict'] === true ? { strictAt: inside(spot, 'toolSpec', 'strict').path } : {};
  const description = maybe('description', textOf(spec['description']));
  return [{ name: spec['name'], ...description, ...maybe('schema', schema), ...strict, path: spot.path }];
}

function writeTool({ name, description, schema, strictAt }: ToolSpec): Wire {
  const about = { name, ...maybe('description', description), inputSchema: { json: schema ?? { type: 'object' } } };
  return { toolSpec: strictAt === undefined ? about : { ...about, strict: true } };
}

function readChoice(choice: unknown): Choice | undefined {
  if (!isRecord(choice)) return undefined;
  if (isRecord(choice['auto'])) return { mode: 'auto' };
  if (isRecord(choice['any'])) return { mode: 'any' };
  const { tool } = choice;
  const name = isRecord(tool) ? textOf(tool['name']) : undefined;
  return name === undefined ? undefined : { mode: 'any', names: [name] };
}

function unpack(message: Message, path: string, lose: Lose): readonly Message[] {
  const { role, at, wire } = message;
  if (role === 'unreadable') return [];
  const spot = { at: { message: at }, path };
  loseKeys(wire, MESSAGE, { spot, lose });
  const parts = message.parts.map((part, i) =>
    readPart(part, { ...inside(spot, 'content', i), at: { message: at, part: i } }, lose),
  );
  return [{ role, parts: markCaches(parts), at, path }];
}

const CACHE = 'a cache point';

/** A place to cache stands behind what is cached; elsewhere it is a mark on it. */
function markCaches(parts: readonly Part[]): readonly Part[] {
  const marked: Part[] = [];
  for (const part of parts) {
    const last = marked.at(-1);
    if (part.kind === 'opaque' && part.what === CACHE && last?.kind === 'text' && last.cache === undefined) {
      marked[marked.length - 1] = { ...last, cache: part.mark ?? { path: part.path ?? '' } };
    } else marked.push(part);
  }
  return marked;
}

function readPart(part: Part, spot: Spot, lose: Lose): Part {
  const wire: Wire = isRecord(part.wire) ? part.wire : {};
  switch (part.kind) {
    case 'text':
      return { ...part, ...spot };
    case 'reasoning':
      return { ...part, ...maybe('seal', sealOf(wire['reasoningContent'])), ...spot };
    case 'call': {
      const { server } = part;
      loseKeys(wire['toolUse'], CALL, { spot: inside(spot, 'toolUse'), lose });
      return { ...part, ...(server ? { runner: SERVICE } : {}), ...spot };
    }
    case 'result': {
      const { server } = part;
      const held = wire['toolResult'];
      const own = inside(spot, 'toolResult');
      loseKeys(held, RESULT, { spot: own, lose });
      const pieces = isRecord(held) ? readPieces(held['content'], inside(own, 'content'), lose) : toPieces(part.text);
      return { ...part, pieces, ...(server ? { runner: SERVICE } : {}), ...spot };
    }
    case 'media':
      return readMember(wire, spot, lose);
    case 'opaque':
      if (wire['cachePoint'] === undefined) return readOther(wire, spot);
      return {
        kind: 'opaque',
        characters: 0,
        what: CACHE,
        ...maybe('mark', markOf(wire['cachePoint'], spot)),
        ...spot,
      };
  }
}

function sealOf(held: unknown): Seal | undefined {
  if (!isRecord(held)) return undefined;
  const { reasoningText: said, redactedContent: data } = held;
  const value = isRecord(said) ? said['signature'] : undefined;
  if (typeof value === 'string' && value !== '') return { maker: MAKER, form: 'signature', value };
  return typeof data === 'string' ? { maker: MAKER, form: 'redacted', value: data } : undefined;
}

function readOther(wire: Wire, spot: Spot): Part {
  const [what = 'a part that cannot be read'] = Object.keys(wire);
  const inner = wire[what];
  const guarded = isRecord(inner) && isRecord(inner['text']) ? inner['text'] : inner;
  const own = isRecord(guarded) ? textOf(guarded['text']) : undefined;
  const texts = listIn(inner, 'content').flatMap((each) => (isRecord(each) ? (textOf(each['text']) ?? []) : []));
  return {
    kind: 'opaque',
    characters: 0,
    what,
    ...maybe('text', own ?? (texts.length === 0 ? undefined : texts.join('\n'))),
    ...spot,
  };
}

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  const can = abilities(how);
  return messages.flatMap((message): Packed[] => {
    const adapted = adapt(message, can, how.lose);
    const role = adapted.role === 'tool' ? 'user' : adapted.role;
    const written = inOrder(adapted)
      .flatMap(({ parts }) => parts)
      .map((part) => ({ part, wires: writePart(part, role, how) }));
    const content = written.flatMap(({ wires }) => wires);
    if (content.length === 0 && message.parts.length > 0) return [];
    const parts = written.flatMap(({ part, wires }) => wires.map(() => part));
    return [{ wire: { role, content }, from: message, parts }];
  });
}

function writePart(part: Part, role: string, how: Packing): readonly Wire[] {
  switch (part.kind) {
    case 'text':
      if (isBlank(part.text)) return loseBlank(part, how.lose);
      return part.cache === undefined
        ? [{ text: part.text }]
        : [{ text: part.text }, { cachePoint: { type: 'default', ...timeOf(part.cache) } }];
    case 'reasoning': {
      const { seal, text } = part;
      if (seal?.form === 'redacted') return [{ reasoningContent: { redactedContent: seal.value } }];
      return [{ reasoningContent: { reasoningText: { text, signature: seal?.value ?? '' } } }];
    }
    case 'call':
      return [{ toolUse: { toolUseId: part.callId, name: part.tool, input: objectInput(part, how.lose) } }];
    case 'result':
      return [{ toolResult: writeResult(part, how) }];
    case 'media': {
      const wire = role === 'user' ? part.media && writeMedia(part.media) : undefined;
      const why = role === 'user' ? 'the target takes no such media' : 'only users show media there';
      return shown(part, part.media, { wire, why, lose: how.lose });
    }
    case 'opaque':
      return [];
  }
}

function writeResult(part: ResultPart, how: Packing): Wire {
  const { callId: id, outcome, pieces = [] } = part;
  const failed = outcome === 'error';
  const content = pieces.flatMap((piece) => writePiece(piece, part, how));
  const status = how.profile.resultStatus === false ? {} : { status: failed ? 'error' : 'success' };
  const said = content.length === 0 && failed ? [{ text: '(no content)' }] : content;
  return { toolUseId: id, content: said, ...status };
}

function writePiece(piece: Piece, part: ResultPart, how: Packing): readonly Wire[] {
  if (piece.kind === 'json' && isRecord(piece.value)) return [{ json: piece.value }];
  if (piece.kind !== 'media') return isBlank(pieceText(piece)) ? [] : [{ text: pieceText(piece) }];
  const failed = part.outcome === 'error' && how.profile.reasoningSigned !== false;
  const wire = failed ? undefined : mediaIn(piece.media);
  const why = failed ? 'an error holds only text there' : 'the target takes no such media';
  return shown(part, piece.media, { wire, why, lose: how.lose });
}

function mediaIn(media: Media): Wire | undefined {
  return media.type === 'audio' ? undefined : writeMedia(media);
}
