import type { Abilities, Choice, Conversion, Packed, Packing, ToolSpec } from '../../model/conversion.ts';
import type { CallPart, Media, Message, Part, Piece, ReasoningPart, ResultPart } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { adapt, asJsonText, ONLY_OK } from '../conversion/adapt.ts';
import { pieceText } from '../conversion/pieces.ts';
import { packItems, type Speech } from '../conversion/pack-items.ts';
import { inside, listIn, loseKeys, maybe, textOf, type Wire } from '../conversion/keys.ts';
import { dataUrl, endingOf, publicUrl, shown } from '../conversion/media.ts';
import { readChoice } from '../openai-chat/request.ts';
import { MAKER, unpack } from './crossing-read.ts';

const TOOL: ReadonlySet<string> = new Set(['type', 'name', 'description', 'parameters', 'strict', 'format']);

const CAN: Abilities = {
  seals: ({ maker, form }) => maker === MAKER && (form === 'encrypted' || form === 'reference'),
  thoughts: false,
  server: () => false,
  outcomes: ONLY_OK,
  refusals: true,
  developers: true,
  items: true,
  free: true,
};

/** What crosses between the OpenAI Responses API and others. */
export const openaiResponses: Conversion = {
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
  unpack,
  pack,
  system: ({ instructions }) => {
    if (typeof instructions !== 'string' || instructions === '') return [];
    return [{ kind: 'text', characters: 0, text: instructions, at: { message: -1 }, path: '/instructions' }];
  },
  // The field is one text; several stay messages.
  withSystem: (parts, how) => {
    const [only] = parts;
    if (parts.length > 1 || only?.kind !== 'text') return undefined;
    adapt({ role: 'system', parts, at: -1, path: '' }, CAN, how.lose);
    return only.text;
  },
  tools: readTools,
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: writeChoice,
};

function readTools(body: Readonly<Wire>, lose: Packing['lose']): readonly ToolSpec[] {
  return listIn(body, 'tools').flatMap((tool, i): ToolSpec[] => {
    const spot = inside({ at: { message: -1 }, path: '' }, 'tools', i);
    const { type, name, description, parameters, strict } = isRecord(tool) ? tool : {};
    const free = type === 'custom';
    if (typeof name !== 'string' || (type !== 'function' && !free)) {
      lose(spot, { kind: 'tool', what: textOf(type) ?? 'a tool', why: 'the provider of this dialect runs it itself' });
      return [];
    }
    loseKeys(tool, TOOL, { spot, lose });
    const about = {
      name,
      ...maybe('description', textOf(description)),
      ...maybe('schema', free ? undefined : parameters),
    };
    return [
      {
        ...about,
        ...(strict === true ? { strictAt: inside(spot, 'strict').path } : {}),
        ...(free ? { free } : {}),
        path: spot.path,
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

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  return packItems(messages, how, { can: CAN, thoughtKey: 'summary', writeItem, packSpoken });
}

function writeItem(part: Part, how: Packing): Wire | undefined {
  if (part.kind === 'call') return writeCall(part);
  if (part.kind === 'result') return writeResult(part, how);
  return part.kind === 'reasoning' ? writeThought(part) : undefined;
}

function writeCall({ callId: id, tool, input, free, item }: CallPart): Wire {
  const kept = maybe('id', item);
  if (free === true) return { type: 'custom_tool_call', ...kept, call_id: id, name: tool, input: asJsonText(input) };
  return { type: 'function_call', ...kept, call_id: id, name: tool, arguments: asJsonText(input) };
}

function writeResult(part: ResultPart, how: Packing): Wire {
  const { callId: id, pieces = [], free } = part;
  const [only] = pieces;
  const plain = only === undefined || (pieces.length === 1 && only.kind !== 'media');
  const output = plain
    ? only === undefined
      ? ''
      : pieceText(only)
    : pieces.flatMap((piece) => writePiece(piece, part, how));
  return { type: free === true ? 'custom_tool_call_output' : 'function_call_output', call_id: id, output };
}

function writePiece(piece: Piece, part: ResultPart, how: Packing): readonly Wire[] {
  if (piece.kind !== 'media') return [{ type: 'input_text', text: pieceText(piece) }];
  const why = 'the target takes no such media';
  return shown(part, piece.media, { wire: writeMedia(piece.media), why, lose: how.lose });
}

function writeThought({ text, seal }: ReasoningPart): Wire {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  const sealed = seal?.form === 'encrypted' ? { encrypted_content: seal.value } : {};
  return { type: 'reasoning', ...maybe('id', seal?.id), summary, ...sealed };
}

function packSpoken(spoken: readonly Part[], { from, speaker }: Speech, how: Packing): readonly Packed[] {
  const written = spoken.map((part) => ({ part, wires: writeSpoken(part, speaker, how) }));
  const content = written.flatMap(({ wires }) => wires);
  if (content.length === 0) return [];
  const [only] = content;
  const plain = content.length === 1 && speaker !== 'assistant' && only?.['type'] === 'input_text';
  const parts = written.flatMap(({ part, wires }) => wires.map(() => part));
  const item = spoken.flatMap((part) => (part.kind === 'text' ? [part.item] : []))[0];
  const kept = item === undefined ? {} : { type: 'message', id: item, status: 'completed' };
  return [{ wire: { ...kept, role: speaker, content: plain ? only['text'] : content }, from, parts }];
}

function writeSpoken(part: Part, speaker: string, how: Packing): readonly Wire[] {
  if (part.kind === 'text') {
    if (part.refusal === true && speaker === 'assistant') return [{ type: 'refusal', refusal: part.text }];
    return [{ type: speaker === 'assistant' ? 'output_text' : 'input_text', text: part.text }];
  }
  if (part.kind !== 'media') return [];
  const wire = speaker === 'user' ? part.media && writeMedia(part.media) : undefined;
  const why = speaker === 'user' ? 'the target takes no such media' : 'only users show media there';
  return shown(part, part.media, { wire, why, lose: how.lose });
}

/** Writes a piece that users show; undefined for media that they cannot. */
export function writeMedia(media: Media): Wire | undefined {
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
  const filename = maybe('filename', name);
  if (kept !== undefined) return { type: 'input_file', ...kept };
  if (url !== undefined) return { type: 'input_file', file_url: url };
  const inline = dataUrl(media);
  return inline === undefined ? undefined : { type: 'input_file', ...filename, file_data: inline };
}
