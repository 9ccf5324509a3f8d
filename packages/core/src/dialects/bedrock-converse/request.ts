import type { RequestFacts } from '../../model/codec.ts';
import type { Abilities, Choice, Conversion, Packing, Showing, ToolSpec } from '../../model/conversion.ts';
import type { Lose } from '../../model/loss.ts';
import { Noting, placed } from '../../model/noting.ts';
import type { Media, Message, Part } from '../../model/part.ts';
import { isBlank, isRecord } from '../../model/value.ts';
import { inOrder } from '../anthropic-messages/request.ts';
import { bodyFaults } from '../body-faults.ts';
import { OK_OR_ERROR } from '../conversion/adapt.ts';
import { fitSystem } from '../conversion/fit.ts';
import { listIn, maybe, textOf, timeOf } from '../conversion/keys.ts';
import { base64Of, endingOf } from '../conversion/media.ts';
import { MAKER, memberOf, read, readPart } from './read.ts';
import { writePart } from './write.ts';

type Wire = Record<string, unknown>;

const NO_TOOLS: ReadonlySet<string> = new Set();

/** What the fields around the list say that rules ask for. */
export function request(body: Readonly<Wire>): RequestFacts {
  const config = isRecord(body['toolConfig']) ? body['toolConfig']['tools'] : undefined;
  const declared = Array.isArray(config) ? (config as unknown[]) : [];
  const system = Array.isArray(body['system']) ? (body['system'] as unknown[]) : [];
  const fields = body['additionalModelRequestFields'];
  const thinking = isRecord(fields) && isRecord(fields['thinking']) ? fields['thinking']['type'] : undefined;
  return {
    tools: declared.length === 0 ? undefined : new Set(declared.map(toolName)),
    toolCount: declared.length,
    serverTools: NO_TOOLS,
    reasoningRequired: thinking === 'enabled',
    reasoningOn: thinking === 'enabled' || thinking === 'adaptive',
    markers: [...declared, ...system].filter((each) => isRecord(each) && memberOf(each) === 'cachePoint').length,
    faults: bodyFaults(body, 'messages'),
  };
}

function toolName(tool: unknown): string {
  const spec = isRecord(tool) ? tool['toolSpec'] : undefined;
  return isRecord(spec) ? String(spec['name']) : '';
}

/** The field of a body that takes up system text leaving the list. */
export function lift(body: Readonly<Wire>, wire: unknown): Wire {
  const before = body['system'];
  const parts = read(wire, -1).parts.map(writePart);
  return { system: [...(Array.isArray(before) ? (before as unknown[]) : []), ...parts] };
}

const SPEC: ReadonlySet<string> = new Set(['name', 'description', 'inputSchema', 'strict']);

/** What crosses between the Converse API of Amazon Bedrock and others. */
export const conversion: Conversion = {
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
  can,
  media: showMedia,
  arrange,
  unfold: (message, { path }) => [{ ...message, parts: markCaches(message.parts), path }],
  system: ({ system }, lose) => {
    const noting = Noting.around(lose).inside('system');
    const list = Array.isArray(system) ? (system as unknown[]) : [];
    return markCaches(
      Array.from(list, (wire, i) => {
        const own = noting.inside(i);
        return placed(readPart(wire, own.at, { role: 'system', noting: own }), own);
      }),
    );
  },
  withSystem: (parts, how) => fitSystem(parts, conversion, how).map(writePart),
  tools: ({ toolConfig }, lose) => listIn(toolConfig, 'tools').flatMap((tool, i) => readTool(tool, i, lose)),
  withTools: (tools) => ({ toolConfig: { tools: tools.map(writeTool) } }),
  choice: ({ toolConfig }) => readChoice(isRecord(toolConfig) ? toolConfig['toolChoice'] : undefined),
  withChoice: ({ mode, names = [] }) => {
    const [name, ...more] = names;
    if (mode === 'none' || more.length > 0 || (name !== undefined && mode === 'auto')) return undefined;
    return { toolConfig: { toolChoice: name === undefined ? { [mode]: {} } : { tool: { name } } } };
  },
};

function can({ profile }: Packing): Abilities {
  return {
    seals: ({ maker, form }) =>
      maker === MAKER && profile.reasoningSigned !== false && (form === 'signature' || form === 'redacted'),
    thoughts: false,
    server: () => false,
    outcomes: OK_OR_ERROR,
    caches: Number.isFinite(profile.maxCacheMarkers),
    input: 'object',
    blank: 'refused',
  };
}

/** Results have no sound, and errors nothing but texts. */
function showMedia(media: Media, { role, result }: Showing, { profile }: Packing): Wire | string {
  if (result === undefined && role !== 'user') return 'only users show media there';
  if (result?.outcome === 'error' && profile.reasoningSigned !== false) return 'an error holds only text there';
  const silent = result !== undefined && media.type === 'audio';
  return (silent ? undefined : writeMedia(media)) ?? 'the target takes no such media';
}

const FORMATS: Readonly<Record<Media['type'], ReadonlySet<string>>> = {
  image: new Set(['png', 'jpeg', 'gif', 'webp']),
  document: new Set(['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md']),
  video: new Set(['mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp']),
  audio: new Set(['mp3', 'opus', 'wav', 'aac', 'flac', 'mp4', 'ogg', 'mkv']),
};

/** Writes a block of media; undefined for what the API does not take. */
function writeMedia(media: Media): Wire | undefined {
  const { type, url } = media;
  const format = endingOf(media);
  if (!FORMATS[type].has(format)) return undefined;
  const source = sourceOf(media, url?.startsWith('s3:') === true ? url : undefined);
  if (source === undefined) return undefined;
  return { [type]: { format, ...(type === 'document' ? { name: nameOf(media) } : {}), source } };
}

function sourceOf(media: Media, uri: string | undefined): Wire | undefined {
  if (uri !== undefined) return { s3Location: { uri } };
  const bytes = base64Of(media);
  return bytes === undefined ? undefined : { bytes };
}

/** Names of documents are letters, digits, single spaces, hyphens and brackets; every document has one. */
function nameOf({ name }: Media): string {
  const legal = (name ?? '')
    .replaceAll(/[^a-zA-Z0-9 ()[\]-]+/g, '-')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  return legal === '' ? 'document' : legal.slice(0, 200);
}

function arrange(message: Message, { profile }: Packing): readonly Message[] {
  const withoutStatus = { wire: { toolResult: {} }, edited: true };
  return inOrder(message).map((entry) => ({
    ...entry,
    parts: entry.parts.flatMap((part): readonly Part[] => {
      if (part.kind === 'result' && profile.resultStatus === false) return [{ ...part, ...withoutStatus }];
      if (part.kind !== 'text' || part.cache === undefined || isBlank(part.text)) return [part];
      return [part, { ...part, wire: { cachePoint: { type: 'default', ...timeOf(part.cache) } } }];
    }),
  }));
}

/** A place to cache stands behind what is cached; elsewhere it is a mark on it. */
function markCaches(parts: readonly Part[]): readonly Part[] {
  const marked: Part[] = [];
  for (const part of parts) {
    const last = marked.at(-1);
    if (part.kind === 'opaque' && part.mark !== undefined && last?.kind === 'text' && last.cache === undefined) {
      marked[marked.length - 1] = { ...last, cache: part.mark };
    } else marked.push(part);
  }
  return marked;
}

function readTool(tool: unknown, index: number, lose: Lose): readonly ToolSpec[] {
  const noting = Noting.around(lose).inside('toolConfig', 'tools', index);
  const spec = isRecord(tool) ? tool['toolSpec'] : undefined;
  if (!isRecord(spec) || typeof spec['name'] !== 'string') {
    const what = Object.keys(isRecord(tool) ? tool : {})[0] ?? 'a tool';
    const kind = what === 'cachePoint' ? 'key' : 'tool';
    noting.lose({ kind, what, why: 'the target has no place for it' });
    return [];
  }
  noting.inside('toolSpec').loseKeys(spec, SPEC);
  const { inputSchema: held } = spec;
  const schema = isRecord(held) ? held['json'] : undefined;
  const strict = spec['strict'] === true ? { strictAt: noting.inside('toolSpec', 'strict').path } : {};
  const description = maybe('description', textOf(spec['description']));
  return [{ name: spec['name'], ...description, ...maybe('schema', schema), ...strict, path: noting.path }];
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
