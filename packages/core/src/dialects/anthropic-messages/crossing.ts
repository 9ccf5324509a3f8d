import type { Choice, Conversion, Packed, Packing, ToolSpec } from '../../model/conversion.ts';
import type { Media, Message, Part, Piece, ResultPart, Seal } from '../../model/part.ts';
import { isBlank, isRecord } from '../../model/value.ts';
import { readParts } from './message.ts';
import { adapt, loseBlank, OK_OR_ERROR, objectInput, pieceText, type Abilities } from '../crossing/adapt.ts';
import { MAKER, readPart, unpack } from './crossing-read.ts';
import { inside, listIn, loseKeys, maybe, textOf, timeOf, type Wire } from '../crossing/keys.ts';
import { base64Of, mimeOf, plainText, publicUrl, shown } from '../crossing/media.ts';

/** The provider's own tools must be declared in a request, and no declaration of them crosses. */
function abilities({ request }: Packing): Abilities {
  return {
    seals: ({ maker, form }) => maker === MAKER && (form === 'signature' || form === 'redacted'),
    thoughts: false,
    server: (maker) => maker === MAKER && !request,
    serverNames: true,
    outcomes: OK_OR_ERROR,
    caches: true,
  };
}

const TOOL: ReadonlySet<string> = new Set(['type', 'name', 'description', 'input_schema', 'strict']);
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** What crosses between the Anthropic Messages API and others. */
export const anthropicMessages: Conversion = {
  systemKey: 'system',
  settings: {
    maxTokens: [['max_tokens']],
    temperature: [['temperature']],
    topP: [['top_p']],
    topK: [['top_k']],
    stop: [['stop_sequences']],
    stream: [['stream']],
  },
  fields: new Set(['messages', 'model', 'system', 'tools', 'tool_choice']),
  // A call may name anything of 200 characters, but a tool is declared under a plain name.
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, max: 128 },
  needs: { max_tokens: 4096 },
  choicePath: '/tool_choice',
  modelKey: 'model',
  unpack,
  pack,
  system: ({ system }, lose) => {
    const spot = { at: { message: -1 }, path: '/system' };
    if (typeof system === 'string')
      return system === '' ? [] : [{ kind: 'text', text: system, characters: 0, ...spot }];
    const list = Array.isArray(system) ? (system as unknown[]) : [];
    return readParts('system', list, -1).map((part, i) => readPart(part, inside(spot, i), lose));
  },
  withSystem: (parts, how) => {
    const adapted = adapt({ role: 'system', parts, at: -1, path: '' }, abilities(how), how.lose).parts;
    return adapted.flatMap((part) => writePart(part, 'system', how));
  },
  tools: (body, lose) => readTools(body, lose),
  withTools: (tools) => ({ tools: tools.map(writeTool) }),
  choice: ({ tool_choice: choice }) => readChoice(choice),
  withChoice: writeChoice,
};

function readTools(body: Readonly<Wire>, lose: Packing['lose']): readonly ToolSpec[] {
  return listIn(body, 'tools').flatMap((tool, i): ToolSpec[] => {
    const spot = inside({ at: { message: -1 }, path: '' }, 'tools', i);
    const { name, description, strict, type } = isRecord(tool) ? tool : {};
    const own = type === undefined || type === null || type === 'custom';
    if (!isRecord(tool) || typeof name !== 'string' || !own) {
      lose(spot, { kind: 'tool', what: textOf(type) ?? 'a tool', why: 'the provider of this dialect runs it itself' });
      return [];
    }
    loseKeys(tool, TOOL, { spot, lose });
    const schema = tool['input_schema'];
    return [
      {
        name,
        schema,
        ...maybe('description', textOf(description)),
        ...(strict === true ? { strictAt: inside(spot, 'strict').path } : {}),
        path: spot.path,
      },
    ];
  });
}

function writeTool({ name, description, schema, strictAt }: ToolSpec): Wire {
  return {
    name,
    ...maybe('description', description),
    input_schema: schema ?? { type: 'object' },
    ...(strictAt === undefined ? {} : { strict: true }),
  };
}

function readChoice(choice: unknown): Choice | undefined {
  if (!isRecord(choice)) return undefined;
  const { type, name } = choice;
  if (type === 'tool' && typeof name === 'string') return { mode: 'any', names: [name] };
  return type === 'auto' || type === 'any' || type === 'none' ? { mode: type } : undefined;
}

function writeChoice({ mode, names = [] }: Choice): Wire | undefined {
  const [name, ...more] = names;
  if (name === undefined) return { tool_choice: { type: mode } };
  return mode === 'any' && more.length === 0 ? { tool_choice: { type: 'tool', name } } : undefined;
}

function pack(messages: readonly Message[], how: Packing): readonly Packed[] {
  return messages.flatMap((message): Packed[] => {
    const adapted = adapt(message, abilities(how), how.lose);
    const role = adapted.role === 'tool' ? 'user' : adapted.role;
    const ordered = inOrder(adapted.parts, role);
    const written = ordered.map((part) => ({ part, wires: writePart(part, role, how) }));
    const content = written.flatMap(({ wires }) => wires);
    if (content.length === 0 && message.parts.length > 0) return [];
    const parts = written.flatMap(({ part, wires }) => wires.map(() => part));
    return [{ wire: { role, content: simplest(content) }, from: message, parts }];
  });
}

/** Results come first and calls last; what was moved still says the same. */
export function inOrder(parts: readonly Part[], role: string): readonly Part[] {
  const first = role === 'user' ? 'result' : undefined;
  const rank = (part: Part): number => (part.kind === first ? 0 : part.kind === 'call' && !part.server ? 2 : 1);
  return parts
    .map((part, i) => ({ part, i }))
    .sort((a, b) => rank(a.part) - rank(b.part) || a.i - b.i)
    .map(({ part }) => part);
}

/** One plain text needs no list. */
function simplest(content: readonly unknown[]): unknown {
  const [only] = content;
  const plain = content.length === 1 && isRecord(only) && only['type'] === 'text' && Object.keys(only).length === 2;
  return plain ? only['text'] : content;
}

function writePart(part: Part, role: string, how: Packing): readonly unknown[] {
  switch (part.kind) {
    case 'text':
      if (isBlank(part.text)) return loseBlank(part, how.lose);
      return [
        {
          type: 'text',
          text: part.text,
          ...maybe('cache_control', part.cache && { type: 'ephemeral', ...timeOf(part.cache) }),
        },
      ];
    case 'reasoning':
      return [writeSeal(part.text, part.seal)];
    case 'call':
      return [writeCall(part, how)];
    case 'result':
      return [writeResult(part, how)];
    case 'media': {
      const wire = role === 'user' ? part.media && writeMedia(part.media) : undefined;
      const why = role === 'user' ? 'the target takes no such media' : 'only users show media there';
      return shown(part, part.media, { wire, why, lose: how.lose });
    }
    case 'opaque':
      return [];
  }
}

function writeSeal(text: string, seal: Seal | undefined): Wire {
  if (seal?.form === 'redacted') return { type: 'redacted_thinking', data: seal.value };
  return { type: 'thinking', thinking: text, signature: seal?.value ?? '' };
}

function writeCall(part: Extract<Part, { kind: 'call' }>, { lose }: Packing): Wire {
  const type = !part.server ? 'tool_use' : 'server_tool_use';
  return { type, id: part.callId, name: part.tool, input: objectInput(part, lose) };
}

function writeResult(part: ResultPart, how: Packing): Wire {
  const { callId: id, pieces = [], outcome, server, tool } = part;
  if (server) {
    const [only] = pieces;
    const content = only?.kind === 'json' ? only.value : pieces.map(pieceText).join('\n');
    return { type: serverResultType(tool ?? 'unknown'), tool_use_id: id, content };
  }
  const failed = outcome === 'error' ? { is_error: true } : {};
  const content = writePieces(part, how);
  return { type: 'tool_result', tool_use_id: id, ...maybe('content', content), ...failed };
}

/** Every search for tools has results of one type. */
function serverResultType(tool: string): string {
  return tool.startsWith('tool_search_tool') ? 'tool_search_tool_result' : `${tool}_tool_result`;
}

function writePieces(part: ResultPart, how: Packing): unknown {
  const { pieces = [], outcome } = part;
  const [only] = pieces;
  if (only === undefined) return undefined;
  if (pieces.length === 1 && only.kind !== 'media') return pieceText(only);
  const written = pieces.flatMap((piece) => writePiece(piece, { part, failed: outcome === 'error' }, how));
  return written.length === 0 ? undefined : written;
}

function writePiece(
  piece: Piece,
  { part, failed }: { part: ResultPart; failed: boolean },
  how: Packing,
): readonly unknown[] {
  if (piece.kind !== 'media') return isBlank(pieceText(piece)) ? [] : [{ type: 'text', text: pieceText(piece) }];
  const wire = failed ? undefined : writeMedia(piece.media);
  const why = failed ? 'an error holds only text there' : 'the target takes no such media';
  return shown(part, piece.media, { wire, why, lose: how.lose });
}

function writeMedia(media: Media): Wire | undefined {
  const { type, name, file } = media;
  const title = maybe('title', name);
  const text = plainText(media);
  if (type === 'document' && text !== undefined) {
    return { type, source: { type: 'text', media_type: 'text/plain', data: text }, ...title };
  }
  if (type !== 'image' && type !== 'document') return undefined;
  const around = type === 'image' ? {} : title;
  if (file?.maker === MAKER) return { type, source: { type: 'file', file_id: file.id }, ...around };
  const url = publicUrl(media);
  if (url !== undefined) return { type, source: { type: 'url', url }, ...around };
  const data = base64Of(media);
  const mime = mimeOf(media);
  const taken = type === 'image' ? IMAGES.has(mime) : mime === 'application/pdf';
  return data !== undefined && taken
    ? { type, source: { type: 'base64', media_type: mime, data }, ...around }
    : undefined;
}
