import type { Abilities, Choice, Conversion, Packed, Packing, ToolSpec } from '../../model/conversion.ts';
import type { CallPart, Media, Message, Part, ResultPart } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { adapt, asJsonText, ONLY_OK } from '../conversion/adapt.ts';
import { divide, piecesOf } from '../conversion/pieces.ts';
import { unpack } from './crossing-read.ts';
import { inside, listIn, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { dataUrl, endingOf, named, publicUrl, shown } from '../conversion/media.ts';

const TOOL: ReadonlySet<string> = new Set(['type', 'function', 'custom']);
const FUNCTION: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict', 'format']);

function abilities({ profile }: Packing): Abilities {
  return {
    seals: ({ maker }, on) => maker === 'google' && on === 'call' && profile.unknownKeys === 'carry',
    thoughts: profile.reasoningField === 'back',
    server: () => false,
    outcomes: ONLY_OK,
    refusals: true,
    names: true,
    developers: true,
    free: true,
  };
}

/** What crosses between the OpenAI Chat Completions API and others. */
export const openaiChat: Conversion = {
  settings: {
    maxTokens: [['max_completion_tokens'], ['max_tokens']],
    temperature: [['temperature']],
    topP: [['top_p']],
    stop: [['stop']],
    stream: [['stream']],
    seed: [['seed']],
    parallel: [['parallel_tool_calls']],
  },
  fields: new Set(['messages', 'model', 'tools', 'tool_choice']),
  names: { pattern: /^[a-zA-Z0-9_-]{1,64}$/, max: 64 },
  choicePath: '/tool_choice',
  freeTools: true,
  modelKey: 'model',
  can: abilities,
  unpack,
  pack: (messages, how) => packChat(messages, abilities(how), { ...how, media: writeMedia, callWire: writeCall }),
  tools: readTools,
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: writeChoice,
};

export function readTools(body: Readonly<Wire>, lose: Packing['lose']): readonly ToolSpec[] {
  return listIn(body, 'tools').flatMap((tool, i): ToolSpec[] => {
    const spot = inside({ at: { message: -1 }, path: '' }, 'tools', i);
    const wire: Wire = isRecord(tool) ? tool : {};
    const free = wire['type'] === 'custom';
    const key = free ? 'custom' : 'function';
    const callee = wire[key];
    if (!isRecord(callee) || typeof callee['name'] !== 'string') {
      const what = textOf(wire['type']) ?? 'a tool';
      lose(spot, { kind: 'tool', what, why: 'the provider of this dialect runs it itself' });
      return [];
    }
    loseKeys(tool, TOOL, { spot, lose });
    loseKeys(callee, FUNCTION, { spot: inside(spot, key), lose });
    const { name, parameters, strict } = callee;
    const description = maybe('description', textOf(callee['description']));
    const schema = maybe('schema', free ? undefined : parameters);
    return [
      {
        name,
        ...description,
        ...schema,
        ...(strict === true ? { strictAt: inside(spot, key, 'strict').path } : {}),
        ...(free ? { free } : {}),
        path: spot.path,
      },
    ];
  });
}

export function writeTool({ name, description, schema, strictAt, free }: ToolSpec): Wire {
  const about = { name, ...maybe('description', description) };
  if (free === true) return { type: 'custom', custom: about };
  return {
    type: 'function',
    function: { ...about, ...maybe('parameters', schema), ...(strictAt === undefined ? {} : { strict: true }) },
  };
}

export function readChoice(choice: unknown): Choice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'any') return { mode: choice };
  if (choice === 'required') return { mode: 'any' };
  const callee = isRecord(choice) ? (choice['function'] ?? choice['custom'] ?? choice) : undefined;
  const name = isRecord(callee) ? textOf(callee['name']) : undefined;
  if (name !== undefined) return { mode: 'any', names: [name] };
  const allowed = isRecord(choice) && isRecord(choice['allowed_tools']) ? choice['allowed_tools'] : choice;
  const names = listIn(allowed, 'tools').flatMap((tool) => readChoice(tool)?.names ?? []);
  if (!isRecord(allowed) || names.length === 0) return undefined;
  return { mode: allowed['mode'] === 'auto' ? 'auto' : 'any', names };
}

function writeChoice({ mode, names = [] }: Choice): Wire | undefined {
  const [name, ...more] = names;
  if (name === undefined) return { tool_choice: mode === 'any' ? 'required' : mode };
  if (mode === 'any' && more.length === 0) return { tool_choice: { type: 'function', function: { name } } };
  if (mode === 'none') return undefined;
  const tools = names.map((each) => ({ type: 'function', function: { name: each } }));
  return { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: mode === 'any' ? 'required' : mode, tools } } };
}

/** What differs between the relatives of this API. */
export type ChatPacking = Packing & {
  readonly media: (media: Media) => Wire | undefined;
  readonly callWire: (call: CallPart) => Wire;
  readonly thoughtWire?: (text: string) => Wire;
  readonly toolNames?: boolean;
};

/** Writes messages of this API: answers with their calls, and every result as a message of its own. */
export function packChat(messages: readonly Message[], can: Abilities, how: ChatPacking): readonly Packed[] {
  return messages.flatMap((message): readonly Packed[] => {
    const adapted = adapt(message, can, how.lose);
    if (adapted.role === 'assistant') return packAnswer(adapted, message, how);
    const results = adapted.parts.filter((part) => part.kind === 'result');
    const rest = adapted.parts.filter((part) => part.kind !== 'result');
    const shown = results.flatMap((part) => mediaOfResult(part, how));
    const spoken = packSpoken({ ...adapted, parts: [...shown, ...rest] }, message, how);
    return [...results.map((part) => packResult(part, message, how)), ...spoken];
  });
}

function packResult(part: ResultPart, from: Message, { toolNames }: ChatPacking): Packed {
  const { texts } = divide(piecesOf(part));
  const content = texts.length > 1 ? texts.map((text) => ({ type: 'text', text })) : (texts[0] ?? '');
  const name = toolNames === true && part.tool !== undefined && part.tool !== '' ? { name: part.tool } : {};
  return { wire: { role: 'tool', tool_call_id: part.callId, ...name, content }, from, parts: [part] };
}

/** Tools return only text here, so what they have shown is shown by the user. */
function mediaOfResult(part: ResultPart, how: ChatPacking): readonly Part[] {
  return divide(piecesOf(part)).media.map(({ media }): Part => {
    const path = media.path ?? part.path;
    const spot = { ...(part.at && { at: part.at }), ...(path !== undefined && { path }) };
    const why = 'a result holds only text there, so the user shows it';
    if (how.media(media) !== undefined) how.lose(spot, { kind: 'media', what: named(media), became: 'other', why });
    return { kind: 'media', characters: 0, media, ...spot };
  });
}

function packSpoken(message: Message, from: Message, how: ChatPacking): readonly Packed[] {
  const role = message.role === 'system' ? 'system' : 'user';
  const written = message.parts.map((part) => ({ part, wires: writePiece(part, role, how) }));
  const content = written.flatMap(({ wires }) => wires);
  if (content.length === 0 && (from.parts.length > 0 || message.role === 'tool')) return [];
  const parts = written.flatMap(({ part, wires }) => wires.map(() => part));
  const named = message.name === undefined ? {} : { name: message.name };
  const speaker = message.developer === true ? 'developer' : role;
  return [{ wire: { role: speaker, ...named, content: simplest(content) }, from, parts }];
}

/** One text needs no list. */
function simplest(content: readonly Wire[]): unknown {
  const [only] = content;
  if (only === undefined) return '';
  return content.length === 1 && only['type'] === 'text' && Object.keys(only).length === 2 ? only['text'] : content;
}

function writePiece(part: Part, role: string, how: ChatPacking): readonly Wire[] {
  if (part.kind === 'text') return [{ type: 'text', text: part.text }];
  if (part.kind === 'reasoning' && how.thoughtWire !== undefined) return [how.thoughtWire(part.text)];
  if (part.kind !== 'media') return [];
  const wire = role === 'user' ? part.media && how.media(part.media) : undefined;
  const why = role === 'user' ? 'the target takes no such media' : 'only users show media there';
  return shown(part, part.media, { wire, why, lose: how.lose });
}

function packAnswer(message: Message, from: Message, how: ChatPacking): readonly Packed[] {
  const refusal = message.parts.find((part) => part.kind === 'text' && part.refusal === true);
  const calls = message.parts.filter((part) => part.kind === 'call');
  const thought = how.thoughtWire === undefined ? thoughtsOf(message) : '';
  const said = message.parts.filter((part) => part.kind !== 'call' && part !== refusal);
  const written = said.map((part) => ({ part, wires: writePiece(part, 'assistant', how) }));
  const content = written.flatMap(({ wires }) => wires);
  const empty = content.length === 0 && calls.length === 0 && refusal === undefined && thought === '';
  if (empty && from.parts.length > 0) return [];
  const wire = {
    role: 'assistant',
    ...(message.name === undefined ? {} : { name: message.name }),
    content: content.length === 0 && calls.length + (refusal === undefined ? 0 : 1) > 0 ? null : simplest(content),
    ...(thought === '' ? {} : { reasoning_content: thought }),
    ...(refusal?.kind === 'text' ? { refusal: refusal.text } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(how.callWire) }),
  };
  const parts = [
    ...written.flatMap(({ part, wires }) => wires.map(() => part)),
    ...(refusal ? [refusal] : []),
    ...calls,
  ];
  return [{ wire, from, parts }];
}

function thoughtsOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.kind === 'reasoning' ? [part.text] : [])).join('\n');
}

function writeCall({ callId: id, tool, input, free, seal }: CallPart): Wire {
  const extra = seal === undefined ? {} : { extra_content: { google: { thought_signature: seal.value } } };
  if (free === true) return { id, type: 'custom', custom: { name: tool, input: asJsonText(input) } };
  return { id, type: 'function', function: { name: tool, arguments: asJsonText(input) }, ...extra };
}

const DETAILS: ReadonlySet<string> = new Set(['auto', 'low', 'high']);

function detailOf({ detail }: Media): Wire {
  return detail !== undefined && DETAILS.has(detail.value) ? { detail: detail.value } : {};
}

function writeMedia(media: Media): Wire | undefined {
  const { type, data, file, name } = media;
  const filename = maybe('filename', name);
  if (type === 'image') {
    const url = publicUrl(media) ?? dataUrl(media);
    return url === undefined ? undefined : { type: 'image_url', image_url: { url, ...detailOf(media) } };
  }
  if (type === 'audio') {
    const format = endingOf(media);
    const taken = data !== undefined && (format === 'wav' || format === 'mp3');
    return taken ? { type: 'input_audio', input_audio: { data, format } } : undefined;
  }
  if (type === 'video') return undefined;
  if (file?.maker === 'openai') return { type: 'file', file: { file_id: file.id, ...filename } };
  const file_data = dataUrl(media);
  return file_data === undefined ? undefined : { type: 'file', file: { ...filename, file_data } };
}
