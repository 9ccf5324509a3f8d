import type { Abilities, Choice, Conversion, Packed, Packing, ToolSpec } from '../../model/conversion.ts';
import type { CallPart, Media, Message, Outcome, Part, Piece, ResultPart } from '../../model/part.ts';
import { isRaw, isRecord } from '../../model/value.ts';
import { readParts } from './message.ts';
import { partsIn } from './part.ts';
import { adapt, objectInput, OK_OR_ERROR, parseJson } from '../conversion/adapt.ts';
import { divide, resultText } from '../conversion/pieces.ts';
import { MAKER, readPart, responsePieces, unpack } from './crossing-read.ts';
import { inside, listIn, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { base64Of, mimeOf, shown } from '../conversion/media.ts';

const CAN: Abilities = {
  seals: ({ maker, form }) => maker === MAKER && form === 'signature',
  thoughts: true,
  server: () => false,
  outcomes: OK_OR_ERROR satisfies ReadonlySet<Outcome>,
};

const NO_MEDIA = 'the target takes no such media';

const DECLARATION: ReadonlySet<string> = new Set([
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
  'parameters_json_schema',
]);

/** What crosses between the Gemini API and others. */
export const gemini: Conversion = {
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
  names: { pattern: /^[^]+$/, max: Number.POSITIVE_INFINITY },
  choicePath: '/toolConfig',
  can: () => CAN,
  unpack,
  pack,
  system: (body, lose) => {
    const key = 'system_instruction' in body ? 'system_instruction' : 'systemInstruction';
    const { [key]: held } = body;
    const spot = { at: { message: -1 }, path: `/${key}` };
    if (typeof held === 'string') return held === '' ? [] : [{ kind: 'text', text: held, characters: 0, ...spot }];
    const parts = isRecord(held) ? (partsIn(held) ?? []) : [];
    return readParts('system', parts, -1).flatMap((part, i) => readPart(part, inside(spot, 'parts', i), lose));
  },
  withSystem: (parts, how) => {
    const adapted = adapt({ role: 'system', parts, at: -1, path: '' }, CAN, how.lose).parts;
    return { parts: adapted.flatMap((part) => writePart(part, how)) };
  },
  tools: readTools,
  withTools: (tools) => ({ tools: [{ functionDeclarations: tools.map(writeTool) }] }),
  choice: readChoice,
  withChoice: ({ mode, names = [] }) => {
    if (names.length > 0 && mode !== 'any') return undefined;
    const allowed = names.length === 0 ? {} : { allowedFunctionNames: names };
    return { toolConfig: { functionCallingConfig: { mode: mode.toUpperCase(), ...allowed } } };
  },
};

function readTools(body: Readonly<Wire>, lose: Packing['lose']): readonly ToolSpec[] {
  const { tools } = body;
  const here = { at: { message: -1 }, path: '/tools' };
  // One set of tools may stand without a list around it.
  const list: unknown[] = Array.isArray(tools) ? tools : [tools];
  return list.flatMap((tool, i) => {
    const spot = list === tools ? inside(here, i) : here;
    return Object.keys(isRecord(tool) ? tool : {}).flatMap((key): readonly ToolSpec[] => {
      if (key === 'functionDeclarations' || key === 'function_declarations') {
        return listIn(tool, key).flatMap((each, j) => readTool(each, inside(spot, key, j).path, lose));
      }
      lose(inside(spot, key), { kind: 'tool', what: key, why: 'the provider of this dialect runs it itself' });
      return [];
    });
  });
}

function readTool(tool: unknown, path: string, lose: Packing['lose']): readonly ToolSpec[] {
  if (!isRecord(tool) || typeof tool['name'] !== 'string') return [];
  const spot = { at: { message: -1 }, path };
  loseKeys(tool, DECLARATION, { spot, lose });
  const { name } = tool;
  const schema = tool['parametersJsonSchema'] ?? tool['parameters_json_schema'] ?? tool['parameters'];
  const own = tool['parameters'] === schema ? lowered(schema) : schema;
  return [{ name, ...maybe('description', textOf(tool['description'])), ...maybe('schema', own), path }];
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

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  return messages.flatMap((message): Packed[] => {
    const { parts: adapted, role } = adapt(message, CAN, how.lose);
    const written = adapted.map((part) => ({ part, wires: writePart(part, how) }));
    const wires = written.flatMap((each) => each.wires);
    if (wires.length === 0 && message.parts.length > 0) return [];
    const parts = written.flatMap((each) => each.wires.map(() => each.part));
    const speaker = role === 'assistant' ? 'model' : role === 'system' ? 'system' : 'user';
    return [{ wire: { role: speaker, parts: wires }, from: message, parts }];
  });
}

function writePart(part: Part, how: Packing): readonly Wire[] {
  switch (part.kind) {
    case 'text':
      return [{ text: part.text, ...maybe('thoughtSignature', part.seal?.value) }];
    case 'reasoning':
      return [{ text: part.text, thought: true, ...maybe('thoughtSignature', part.seal?.value) }];
    case 'call': {
      const inner = { ...idIn(part), name: part.tool, args: objectInput(part, how.lose) };
      return [{ functionCall: inner, ...maybe('thoughtSignature', part.seal?.value) }];
    }
    case 'result':
      return writeResult(part, how);
    case 'media':
      return shown(part, part.media, { wire: part.media && writeMedia(part.media), why: NO_MEDIA, lose: how.lose });
    case 'opaque':
      return [];
  }
}

/** What a tool has shown is part of its response where the model knows that, and stands beside it elsewhere. */
function writeResult(part: ResultPart, how: Packing): readonly Wire[] {
  const { tool, pieces = [] } = part;
  const beside = divide(pieces).media.flatMap(({ media }) =>
    shown(part, media, { wire: writeMedia(media), why: NO_MEDIA, lose: how.lose }),
  );
  const inner = { ...idIn(part), name: tool ?? '', response: responseOf(part) };
  if (how.profile.resultIds !== false && beside.length > 0) return [{ functionResponse: { ...inner, parts: beside } }];
  return [{ functionResponse: inner }, ...beside];
}

/** Ids are optional here. */
function idIn({ callId }: CallPart | ResultPart): Wire {
  return callId === '' ? {} : { id: callId };
}

function responseOf({ pieces = [], outcome }: ResultPart): Wire {
  const said = pieces.filter((piece) => piece.kind !== 'media');
  const [only] = said;
  const values = said.map((piece) => (piece.kind === 'json' ? piece.value : piece.text));
  // A list is read as several pieces only where there is a text in it.
  const listed = said.length > 1 && said.some((piece) => piece.kind === 'text');
  if (outcome !== 'ok' && outcome !== 'unknown') return { error: listed ? values : resultText(said) };
  if (only === undefined) return {};
  if (said.length > 1) return { result: listed ? values : resultText(said) };
  return objectOf(only) ?? { result: resultText(said) };
}

/** JSON that comes back as it was: only then is it worth more than its text. */
function objectOf(piece: Piece): Wire | undefined {
  if (piece.kind === 'json') return isRecord(piece.value) ? piece.value : undefined;
  if (piece.kind === 'media' || !piece.text.startsWith('{')) return undefined;
  const value = parseJson(piece.text);
  if (!isRecord(value) || JSON.stringify(value) !== piece.text) return undefined;
  return responsePieces(value)[0]?.kind === 'json' ? value : undefined;
}

function writeMedia(media: Media): Wire | undefined {
  const { url, name } = media;
  const shown = maybe('displayName', name);
  if (url !== undefined && /^(?:https?|gs):/.test(url)) {
    return { fileData: { fileUri: url, mimeType: mimeOf(media), ...shown } };
  }
  const data = base64Of(media);
  return data === undefined ? undefined : { inlineData: { mimeType: mimeOf(media), data, ...shown } };
}
