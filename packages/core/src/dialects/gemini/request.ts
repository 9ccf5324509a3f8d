import type { Fault, RequestFacts } from '../../model/codec.ts';
import type { Choice, Conversion, Packing, ToolSpec } from '../../model/conversion.ts';
import type { Lose } from '../../model/loss.ts';
import { Noting, placed } from '../../model/noting.ts';
import type { Media, Message, Part } from '../../model/part.ts';
import { inspect, isRaw, isRecord, newTally } from '../../model/value.ts';
import { OK_OR_ERROR } from '../conversion/adapt.ts';
import { fitSystem } from '../conversion/fit.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { base64Of, mimeOf } from '../conversion/media.ts';
import { divide, piecesOf } from '../conversion/pieces.ts';
import { MAKER, read, readPart } from './read.ts';
import { callIdOf, dataKey, partsIn } from './shape.ts';
import { writePart } from './write.ts';

type Wire = Record<string, unknown>;

/** What the fields around the list say that rules ask for. */
export function request(body: Readonly<Wire>): RequestFacts {
  const declared = Array.isArray(body['tools']) ? (body['tools'] as unknown[]).filter(isRecord) : [];
  const functions = declared.flatMap((tool): unknown[] => {
    const list = tool['functionDeclarations'] ?? tool['function_declarations'];
    return Array.isArray(list) ? (list as unknown[]) : [];
  });
  const names = functions.filter(isRecord).map((tool) => String(tool['name']));
  return {
    tools: names.length === 0 ? undefined : new Set(names),
    toolCount: names.length,
    serverTools: new Set(declared.flatMap((tool) => Object.keys(tool)).filter((key) => !key.startsWith('function'))),
    reasoningRequired: false,
    reasoningOn: false,
    markers: 0,
    faults: faultsOf(body),
  };
}

/** What is wrong with the fields around the list: the whole body is one JSON text. */
function faultsOf(body: Readonly<Wire>): Fault[] {
  const faults: Fault[] = [];
  for (const key of Object.keys(body)) {
    if (key === 'contents') continue;
    const value = body[key];
    const tally = newTally();
    inspect(value, tally);
    if (tally.lone || tally.broken) faults.push({ fact: 'field-unserialisable', detail: key });
    else if (INSTRUCTIONS.has(key) && !isInstruction(value))
      faults.push({ fact: 'instruction-malformed', detail: key });
  }
  return faults;
}

const INSTRUCTIONS: ReadonlySet<string> = new Set(['systemInstruction', 'system_instruction']);

function isInstruction(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (!isRecord(value)) return false;
  const { parts } = value;
  return !Array.isArray(parts) || (parts as unknown[]).every((part) => isRecord(part) && dataKey(part) !== undefined);
}

/** System text joins the instruction of the request, in the spelling that is there. */
export function lift(body: Readonly<Wire>, wire: unknown): Wire {
  const key = 'system_instruction' in body ? 'system_instruction' : 'systemInstruction';
  const before = body[key];
  const more = read(wire, -1).parts.map((part) => part.wire);
  if (typeof before === 'string' && before !== '') return { [key]: { parts: [{ text: before }, ...more] } };
  if (!isRecord(before)) return { [key]: { parts: more } };
  return { [key]: { ...before, parts: [...(partsIn(before) ?? []), ...more] } };
}

const DECLARATION: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
]);

/** What crosses between the Gemini API and others. */
export const conversion: Conversion = {
  systemKey: 'systemInstruction',
  settings: {
    maxTokens: [['generationConfig', 'maxOutputTokens']],
    temperature: [['generationConfig', 'temperature']],
    topP: [['generationConfig', 'topP']],
    topK: [['generationConfig', 'topK']],
    stop: [['generationConfig', 'stopSequences']],
    seed: [['generationConfig', 'seed']],
  },
  fields: new Set([
    'contents',
    'model',
    'systemInstruction',
    'system_instruction',
    'tools',
    'toolConfig',
    'tool_config',
  ]),
  // A bundler keeps an object that nobody uses if it reads `Number.POSITIVE_INFINITY`.
  names: { pattern: /^[^]+$/, max: Infinity },
  choicePath: '/toolConfig',
  can: () => ({
    seals: ({ maker, form }) => maker === MAKER && form === 'signature',
    thoughts: true,
    server: () => false,
    outcomes: OK_OR_ERROR,
    input: 'object',
  }),
  media: (media) => writeMedia(media) ?? 'the target takes no such media',
  arrange,
  system: readSystem,
  withSystem: (parts, how) => ({ parts: fitSystem(parts, conversion, how).map(writePart) }),
  tools: readTools,
  withTools: (tools) => ({ tools: [{ functionDeclarations: tools.map(writeTool) }] }),
  choice: readChoice,
  withChoice: ({ mode, names = [] }) => {
    if (names.length > 0 && mode !== 'any') return undefined;
    const allowed = names.length === 0 ? {} : { allowedFunctionNames: names };
    return { toolConfig: { functionCallingConfig: { mode: mode.toUpperCase(), ...allowed } } };
  },
};

/** Writes a part that shows something; undefined for media that the API does not take. */
function writeMedia(media: Media): Wire | undefined {
  const { url, name } = media;
  const named = maybe('displayName', name);
  if (url !== undefined && /^(?:https?|gs):/.test(url)) {
    return { fileData: { fileUri: url, mimeType: mimeOf(media), ...named } };
  }
  const data = base64Of(media);
  return data === undefined ? undefined : { inlineData: { mimeType: mimeOf(media), data, ...named } };
}

function arrange(message: Message, how: Packing): readonly Message[] {
  return [{ ...message, parts: message.parts.flatMap((part) => arrangePart(part, how)) }];
}

/** What a tool has shown is part of its response where the model knows that, and stands beside it elsewhere. */
function arrangePart(part: Part, { profile }: Packing): readonly Part[] {
  if (part.kind !== 'call' && part.kind !== 'result') return [part];
  const named = { ...part, callId: part.callId === '' ? '' : callIdOf({ id: part.callId }) };
  if (named.kind === 'call' || profile.resultIds !== false) return [named];
  const pieces = piecesOf(named);
  const where = { ...maybe('at', part.at), ...maybe('path', part.path) };
  const beside = divide(pieces).media.map(({ media }): Part => ({ kind: 'media', characters: 0, media, ...where }));
  return [{ ...named, pieces: pieces.filter(({ kind }) => kind !== 'media') }, ...beside];
}

function readSystem(body: Readonly<Wire>, lose: Lose): readonly Part[] {
  const key = 'system_instruction' in body ? 'system_instruction' : 'systemInstruction';
  const { [key]: held } = body;
  const noting = Noting.around(lose).inside(key);
  if (typeof held === 'string') return held === '' ? [] : [placed({ kind: 'text', text: held, characters: 0 }, noting)];
  return Array.from(isRecord(held) ? (partsIn(held) ?? []) : [], (wire, i) => {
    const own = noting.inside('parts', i);
    return placed(readPart(wire, own.at, { role: 'system', noting: own }), own);
  });
}

function readTools(body: Readonly<Wire>, lose: Lose): readonly ToolSpec[] {
  const { tools } = body;
  const noting = Noting.around(lose).inside('tools');
  // One set of tools may stand without a list around it.
  const list: unknown[] = Array.isArray(tools) ? tools : [tools];
  return list.flatMap((tool, i) => {
    const own = list === tools ? noting.inside(i) : noting;
    return Object.keys(isRecord(tool) ? tool : {}).flatMap((key): readonly ToolSpec[] => {
      if (key === 'functionDeclarations' || key === 'function_declarations') {
        return listIn(tool, key).flatMap((each, j) => readTool(each, own.inside(key, j)));
      }
      own.inside(key).lose({ kind: 'tool', what: key, why: 'the provider of this dialect runs it itself' });
      return [];
    });
  });
}

function readTool(tool: unknown, noting: Noting): readonly ToolSpec[] {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return [];
  noting.loseKeys(tool, DECLARATION);
  const { name } = tool;
  const schema = tool['parametersJsonSchema'] ?? tool['parameters_json_schema'] ?? tool['parameters'];
  const own = tool['parameters'] === schema ? lowered(schema) : schema;
  return [{ name, ...maybe('description', textOf(tool['description'])), ...maybe('schema', own), path: noting.path }];
}

/** The older form of a schema writes its types in capitals. */
function lowered(schema: unknown): unknown {
  if (Array.isArray(schema)) return (schema as unknown[]).map(lowered);
  if (!isRecord(schema) || isRaw(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'type' && typeof value === 'string' ? value.toLowerCase() : lowered(value),
    ]),
  );
}

function writeTool({ name, description, schema }: ToolSpec): Wire {
  return { name, ...maybe('description', description), ...maybe('parametersJsonSchema', schema) };
}

function readChoice(body: Readonly<Wire>): Choice | undefined {
  const config = body['toolConfig'] ?? body['tool_config'];
  const calling = isRecord(config) ? (config['functionCallingConfig'] ?? config['function_calling_config']) : undefined;
  if (!isRecord(calling)) return undefined;
  const mode = String(calling['mode']).toLowerCase();
  const allowed = calling['allowedFunctionNames'] ?? calling['allowed_function_names'];
  const names = listIn({ allowed }, 'allowed').filter((name) => typeof name === 'string');
  if (mode !== 'auto' && mode !== 'any' && mode !== 'none') return undefined;
  return names.length === 0 ? { mode } : { mode, names };
}
