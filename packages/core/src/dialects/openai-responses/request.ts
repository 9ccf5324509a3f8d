import type { RequestFacts } from '../../model/codec.ts';
import type { Abilities, Choice, Conversion, Packing, ToolSpec } from '../../model/conversion.ts';
import type { Lose } from '../../model/loss.ts';
import { Noting } from '../../model/noting.ts';
import type { Media, Message, Part } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { bodyFaults } from '../body-faults.ts';
import { adapt, ONLY_OK } from '../conversion/adapt.ts';
import { listIn, maybe, textOf } from '../conversion/keys.ts';
import { dataUrl, endingOf, publicUrl } from '../conversion/media.ts';
import { readChoice } from '../openai-chat/request.ts';
import { MAKER, type Wire } from './shape.ts';

const NO_TOOLS: ReadonlySet<string> = new Set();

/** What the fields around the list say that rules ask for. */
export function request(body: Readonly<Wire>): RequestFacts {
  const tools = Array.isArray(body['tools']) ? (body['tools'] as unknown[]) : [];
  const { conversation } = body;
  const kept = isRecord(conversation) ? conversation['id'] : conversation;
  return {
    tools: tools.length === 0 ? undefined : new Set(tools.map(toolName)),
    toolCount: tools.length,
    serverTools: NO_TOOLS,
    reasoningRequired: false,
    reasoningOn: false,
    markers: 0,
    stored: body['store'] !== false,
    faults: bodyFaults(body, 'input'),
    chained: typeof body['previous_response_id'] === 'string' || typeof kept === 'string',
  };
}

function toolName(tool: unknown): string {
  return isRecord(tool) ? String(tool['name'] ?? tool['type']) : '';
}

const TOOL: ReadonlySet<string> = new Set(['type', 'name', 'description', 'parameters', 'strict', 'format']);

/** What both dialects of items can say. */
export const ITEMS_CAN: Omit<Abilities, 'thoughts' | 'outcomes'> = {
  seals: ({ maker, form }) => maker === MAKER && (form === 'encrypted' || form === 'reference'),
  server: () => false,
  refusals: true,
  items: true,
  input: 'text',
};

const CAN: Abilities = { ...ITEMS_CAN, thoughts: false, outcomes: ONLY_OK, developers: true, free: true };

/** What crosses between the OpenAI Responses API and others. */
export const conversion: Conversion = {
  systemKey: 'instructions',
  settings: {
    maxTokens: [['max_output_tokens']],
    temperature: [['temperature']],
    topP: [['top_p']],
    stream: [['stream']],
    parallel: [['parallel_tool_calls']],
  },
  fields: new Set(['input', 'model', 'instructions', 'tools', 'tool_choice']),
  names: { pattern: /^[^]{1,128}$/, max: 128 },
  choicePath: '/tool_choice',
  freeTools: true,
  modelKey: 'model',
  can: () => CAN,
  arrange: arrangeItems,
  media: (media, { role, result }) => {
    if (result === undefined && role !== 'user') return 'only users show media there';
    return writeMedia(media) ?? 'the target takes no such media';
  },
  system: readInstructions,
  withSystem: (parts, how) => writeInstructions(parts, CAN, how),
  tools: readTools,
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: writeChoice,
};

export function readInstructions({ instructions }: Readonly<Wire>): readonly Part[] {
  if (typeof instructions !== 'string' || instructions === '') return [];
  return [{ kind: 'text', characters: 0, text: instructions, at: { message: -1 }, path: '/instructions' }];
}

/** The field is one text; several stay messages. */
export function writeInstructions(parts: readonly Part[], can: Abilities, { lose }: Packing): unknown {
  const [only] = parts;
  if (parts.length > 1 || only?.kind !== 'text') return undefined;
  adapt({ role: 'system', parts, at: -1, path: '' }, can, lose);
  return only.text;
}

function readTools(body: Readonly<Wire>, lose: Lose): readonly ToolSpec[] {
  return listIn(body, 'tools').flatMap((tool, i): ToolSpec[] => {
    const noting = Noting.around(lose).inside('tools', i);
    const { type, name, description, parameters, strict } = isRecord(tool) ? tool : {};
    const free = type === 'custom';
    if (typeof name !== 'string' || (type !== 'function' && !free)) {
      noting.lose({ kind: 'tool', what: textOf(type) ?? 'a tool', why: 'the provider of this dialect runs it itself' });
      return [];
    }
    noting.loseKeys(tool, TOOL);
    const about = {
      name,
      ...maybe('description', textOf(description)),
      ...maybe('schema', free ? undefined : parameters),
    };
    return [
      {
        ...about,
        ...(strict === true ? { strictAt: noting.inside('strict').path } : {}),
        ...(free ? { free } : {}),
        path: noting.path,
      },
    ];
  });
}

function writeTool({ name, description, schema, strictAt, free }: ToolSpec): Wire {
  const about = { name, ...maybe('description', description) };
  if (free === true) return { type: 'custom', ...about };
  return {
    type: 'function',
    ...about,
    parameters: schema ?? { type: 'object', properties: {} },
    strict: strictAt !== undefined,
  };
}

function writeChoice({ mode, names = [] }: Choice): Wire | undefined {
  const [name, ...more] = names;
  const asked = mode === 'any' ? 'required' : mode;
  if (name === undefined) return { tool_choice: asked };
  if (mode === 'any' && more.length === 0) return { tool_choice: { type: 'function', name } };
  if (mode === 'none') return undefined;
  const tools = names.map((each) => ({ type: 'function', name: each }));
  return { tool_choice: { type: 'allowed_tools', mode: asked, tools } };
}

type Entry = Message & { readonly parts: Part[] };

/** The entries of a message: every call, every result and every thought is one of its own. */
export function arrangeItems(message: Message): readonly Message[] {
  const role = message.role === 'tool' ? 'user' : message.role;
  const entries: Entry[] = [];
  for (const part of message.parts) {
    const entry = entries.at(-1);
    const before = entry?.parts.at(-1);
    if (entry !== undefined && before !== undefined && goesOn(part, before)) entry.parts.push(part);
    else entries.push({ ...message, role, parts: [part] });
  }
  return entries;
}

/** What is said goes on in the same message, and a thought in the pieces that refer to it. */
function goesOn(part: Part, before: Part): boolean {
  if (!isItem(part)) return !isItem(before);
  if (part.kind !== 'reasoning' || before.kind !== 'reasoning') return false;
  return part.seal?.form === 'reference' && part.seal.id === before.seal?.id;
}

function isItem({ kind }: Part): boolean {
  return kind === 'call' || kind === 'result' || kind === 'reasoning';
}

/** Writes a piece that users show; undefined for media that they cannot. */
function writeMedia(media: Media): Wire | undefined {
  const { type, file, name, data } = media;
  const kept = file?.maker === MAKER ? { file_id: file.id } : undefined;
  const url = publicUrl(media);
  if (type === 'image') {
    const image = url ?? dataUrl(media);
    const detail = maybe('detail', media.detail?.value);
    if (kept !== undefined) return { type: 'input_image', ...kept, ...detail };
    return image === undefined ? undefined : { type: 'input_image', image_url: image, ...detail };
  }
  if (type === 'audio' && data !== undefined)
    return { type: 'input_audio', input_audio: { data, format: endingOf(media) } };
  if (type !== 'document') return undefined;
  if (kept !== undefined) return { type: 'input_file', ...kept };
  if (url !== undefined) return { type: 'input_file', file_url: url };
  const inline = dataUrl(media);
  return inline === undefined ? undefined : { type: 'input_file', ...maybe('filename', name), file_data: inline };
}
