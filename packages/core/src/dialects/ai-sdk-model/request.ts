import type { RequestFacts } from '../../model/codec.ts';
import type { Abilities, Choice, Conversion, Packing, ToolSpec } from '../../model/conversion.ts';
import type { Lose } from '../../model/loss.ts';
import { Noting } from '../../model/noting.ts';
import type { Media, Message, Part } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { adapt } from '../conversion/adapt.ts';
import { maybe, textOf } from '../conversion/keys.ts';
import { base64Of, mimeOf, publicUrl } from '../conversion/media.ts';
import { systemTexts } from '../conversion/system-texts.ts';
import { MAKERS } from './shape.ts';
import { writeOptions } from './write.ts';

type Wire = Record<string, unknown>;

const NO_TOOLS: ReadonlySet<string> = new Set();

/** What the fields around the list say that rules ask for. */
export function request(body: Readonly<Wire>): RequestFacts {
  const tools = isRecord(body['tools']) ? new Set(Object.keys(body['tools'])) : undefined;
  return {
    tools,
    toolCount: tools?.size ?? 0,
    serverTools: NO_TOOLS,
    reasoningRequired: false,
    reasoningOn: false,
    markers: 0,
  };
}

/** The fields of a body that take up a system message leaving the list. */
export function lift(body: Readonly<Wire>, wire: unknown): Wire {
  const key = body['instructions'] === undefined && body['system'] !== undefined ? 'system' : 'instructions';
  return { [key]: [...instructionsIn(body[key]), wire] };
}

/** System messages of a request, in whichever of its forms they came. */
function instructionsIn(value: unknown): unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return value as unknown[];
  return [typeof value === 'string' ? { role: 'system', content: value } : value];
}

export const CAN: Abilities = {
  // The framework carries them back to those who made them.
  seals: ({ maker }) => MAKERS.has(maker),
  thoughts: true,
  server: () => true,
  outcomes: new Set(['ok', 'unknown', 'error', 'denied']),
  caches: true,
  items: true,
  input: 'object',
};

/** What crosses between the model messages of the AI SDK and others. */
export const conversion: Conversion = {
  systemKey: 'instructions',
  settings: {
    maxTokens: [['maxOutputTokens']],
    temperature: [['temperature']],
    topP: [['topP']],
    topK: [['topK']],
    stop: [['stopSequences']],
    seed: [['seed']],
  },
  fields: new Set(['messages', 'model', 'instructions', 'system', 'tools', 'toolChoice']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, max: 128 },
  choicePath: '/toolChoice',
  can: () => CAN,
  media: (media, { result }) => {
    if (result !== undefined && result.outcome !== 'ok') return 'an error holds only text there';
    return (result === undefined ? writeFile(media) : writeOutputFile(media)) ?? 'the target takes no such media';
  },
  arrange,
  system: readInstructions,
  withSystem: writeInstructions,
  tools: readTools,
  withTools: writeTools,
  choice: ({ toolChoice }) => readChoice(toolChoice),
  withChoice: writeChoice,
};

/** Every system message is one text, and results stand before what else is said, in a message of their own. */
function arrange(message: Message, { lose }: Packing): readonly Message[] {
  const { role, parts } = message;
  if (role === 'system') return systemTexts(parts, lose).map((part) => ({ ...message, parts: [part] }));
  if (role === 'assistant') return [message];
  const results = parts.filter(({ kind }) => kind === 'result');
  const said = parts.filter(({ kind }) => kind !== 'result');
  const [only] = said;
  const silent = said.length === 1 && only?.kind === 'text' && only.text === '' && writeOptions(only) === undefined;
  return [
    ...(results.length === 0 ? [] : [{ ...message, role: 'tool' as const, parts: results }]),
    ...(silent ? [] : [{ ...message, role: 'user' as const, parts: said }]),
  ];
}

/** A file in a message. */
function writeFile(media: Media): Wire | undefined {
  const data = media.url ?? base64Of(media);
  if (data === undefined) return undefined;
  return { type: 'file', data, mediaType: mimeOf(media), ...maybe('filename', media.name) };
}

/** A file in the output of a tool. */
function writeOutputFile(media: Media): Wire | undefined {
  const url = publicUrl(media);
  const filename = maybe('filename', media.name);
  if (url !== undefined) return { type: 'file-url', url, ...maybe('mediaType', media.mime), ...filename };
  const data = base64Of(media);
  return data === undefined ? undefined : { type: 'file-data', data, mediaType: mimeOf(media), ...filename };
}

function readInstructions(body: Readonly<Wire>): readonly Part[] {
  const key = body['instructions'] === undefined ? 'system' : 'instructions';
  const { [key]: held } = body;
  const list: unknown[] = Array.isArray(held) ? held : [held];
  return list.flatMap((each, i) => {
    const spot = { at: { message: -1 }, path: Array.isArray(held) ? `/${key}/${String(i)}` : `/${key}` };
    const text = textOf(isRecord(each) ? each['content'] : each);
    return text === undefined || text === '' ? [] : [{ kind: 'text', text, characters: 0, ...spot }];
  });
}

function writeInstructions(parts: readonly Part[], { lose }: Packing): unknown {
  const { parts: adapted } = adapt({ role: 'system', parts, at: -1, path: '' }, { ...CAN, caches: false }, lose);
  const texts = systemTexts(adapted, lose).map(({ text }) => text);
  return texts.length === 1 ? texts[0] : texts.map((content) => ({ role: 'system', content }));
}

const TOOL: ReadonlySet<string> = new Set(['type', 'description', 'inputSchema', 'strict', 'execute']);

/** Tools are declared by name; a schema is plain JSON, or wrapped by the framework. */
function readTools({ tools }: Readonly<Wire>, lose: Lose): readonly ToolSpec[] {
  if (!isRecord(tools)) return [];
  return Object.keys(tools).flatMap((name): readonly ToolSpec[] => {
    const noting = Noting.around(lose).inside('tools', name);
    const tool = tools[name];
    if (!isRecord(tool)) return [];
    noting.loseKeys(tool, TOOL);
    const { inputSchema: held, description } = tool;
    const schema = isRecord(held) && isRecord(held['jsonSchema']) ? held['jsonSchema'] : held;
    return [{ name, ...maybe('description', textOf(description)), ...maybe('schema', schema), path: noting.path }];
  });
}

function writeTools(tools: readonly ToolSpec[]): Wire {
  const set = tools.map(({ name, description, schema }): [string, unknown] => [
    name,
    { ...maybe('description', description), inputSchema: { jsonSchema: schema ?? { type: 'object' } } },
  ]);
  return { tools: Object.fromEntries(set) };
}

function readChoice(choice: unknown): Choice | undefined {
  if (choice === 'auto' || choice === 'none') return { mode: choice };
  if (choice === 'required') return { mode: 'any' };
  const name = isRecord(choice) ? textOf(choice['toolName']) : undefined;
  return name === undefined ? undefined : { mode: 'any', names: [name] };
}

function writeChoice({ mode, names = [] }: Choice): Wire | undefined {
  const [toolName, ...more] = names;
  if (toolName === undefined) return { toolChoice: mode === 'any' ? 'required' : mode };
  return mode === 'any' && more.length === 0 ? { toolChoice: { type: 'tool', toolName } } : undefined;
}
