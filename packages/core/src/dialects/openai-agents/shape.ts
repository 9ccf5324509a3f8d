import { idText } from '../../model/call-id.ts';
import type { ItemKind } from '../../model/codec.ts';
import type { PartKind, Role } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { besideCharacters, callsBeside, hasCallsBeside } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere } from '../elsewhere.ts';
import { strangerCharacters } from '../salvage.ts';

export type Wire = Record<string, unknown>;

/** How an item is read. */
export type Shape = {
  readonly reads: 'message' | 'call' | 'result' | 'reasoning' | 'opaque';
  readonly role: Exclude<Role, 'unreadable'>;
  /** What the item is to the ones beside it. */
  readonly order: ItemKind;
  /** How an id of this type begins, where the provider looks at it. */
  readonly prefix?: string;
  /** Tools whose calls and results match among themselves only; absent means functions. */
  readonly family?: string;
};

const call = (family: string): Shape => ({ reads: 'call', role: 'assistant', order: 'made', family });
const result = (family: string): Shape => ({ reads: 'result', role: 'tool', order: 'other', family });
/** Something that the provider has made and that is carried as it is. */
const MADE: Shape = { reads: 'opaque', role: 'assistant', order: 'made' };
/** What a person decided about a call of the provider. */
const DECISION: Shape = { reads: 'opaque', role: 'user', order: 'other' };
const USER: Shape = { reads: 'message', role: 'user', order: 'other', prefix: 'msg' };
const SYSTEM: Shape = { reads: 'message', role: 'system', order: 'other', prefix: 'msg' };
export const ASSISTANT: Shape = { reads: 'message', role: 'assistant', order: 'made', prefix: 'msg' };

const SHAPES: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ['function_call', { reads: 'call', role: 'assistant', order: 'made', prefix: 'fc' }],
  ['function_call_result', { reads: 'result', role: 'tool', order: 'other' }],
  ['computer_call', call('computer')],
  ['computer_call_result', result('computer')],
  ['shell_call', call('shell')],
  ['shell_call_output', result('shell')],
  ['apply_patch_call', call('apply patch')],
  ['apply_patch_call_output', result('apply patch')],
  ['tool_search_call', call('tool search')],
  ['tool_search_output', result('tool search')],
  // The framework stores calls without their ids, so what came of a thought need not have one.
  ['reasoning', { reads: 'reasoning', role: 'assistant', order: 'whole-thought', prefix: 'rs' }],
  ['hosted_tool_call', MADE],
  ['program', MADE],
  ['program_output', { ...MADE, order: 'program-output' }],
  ['compaction', MADE],
  // What a provider made that the framework has no name for.
  ['unknown', MADE],
]);

/** How an item is read; undefined for one that the framework does not know. */
export function shapeOf(wire: Wire): Shape | undefined {
  const { type, role } = wire;
  if (type === undefined || type === 'message') {
    if (role === 'user') return USER;
    if (role === 'assistant') return ASSISTANT;
    return role === 'system' ? SYSTEM : undefined;
  }
  const shape = SHAPES.get(type);
  if (shape?.family === 'tool search' && isHostedSearch(wire)) return MADE;
  return type === 'hosted_tool_call' && hostedType(wire) === 'mcp_approval_response' ? DECISION : shape;
}

/** A search that the provider runs itself has no call id, or says so. */
function isHostedSearch(wire: Wire): boolean {
  return wire['execution'] === 'server' || callIdOf(wire) === undefined;
}

function isSearch({ type }: Wire): boolean {
  return String(type).startsWith('tool_search');
}

/** The id by which a call and its result find each other; the API spells it in another way. */
export function callIdOf(wire: Wire): string | undefined {
  const id = wire['callId'] ?? wire['call_id'];
  // A search is the provider's own unless a text names it.
  return typeof id !== 'string' && isSearch(wire) ? undefined : idText(id);
}

/** True for an item that names its call as the framework does, which for a search is also as the API does. */
export function isNamedRightly(wire: Wire): boolean {
  return typeof wire['callId'] === 'string' || isSearch(wire);
}

/** The id under which a provider has kept the item; what stands in for one is none. */
export function itemIdOf({ id, type, role }: Wire): unknown {
  if (id === null) return undefined;
  return id === 'FAKE_ID' && (type === 'function_call' || role === 'assistant') ? undefined : id;
}

/** What a call asks for: a text for functions, and the order itself for everything else. */
export function inputOf(wire: Wire): unknown {
  return wire['arguments'] ?? wire['action'] ?? wire['actions'] ?? wire['operation'];
}

/** Functions are named by the item, everything else by its type. */
export function isFunction({ type }: Wire): boolean {
  return type === 'function_call';
}

/** Tools of the provider by the name of their calls, with and without an ending. */
const HOSTED: ReadonlySet<unknown> = new Set(
  ['web_search', 'file_search', 'code_interpreter', 'image_generation'].flatMap((name) => [name, `${name}_call`]),
);
const REMOTE: ReadonlySet<unknown> = new Set([
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'mcp_call',
]);

/** The type that the API has for a call of a tool of its own; undefined where the framework cannot tell it. */
function hostedType({ name, providerData }: Wire): string | undefined {
  if (!isRecord(providerData)) return undefined;
  const { type } = providerData;
  if (HOSTED.has(type) || REMOTE.has(type)) return String(type);
  return REMOTE.has(name) ? String(name) : undefined;
}

/** True for something that lost what the framework needs to send it. */
export function lacksSomething(wire: Wire): boolean {
  const { type, action, providerData: data } = wire;
  switch (type) {
    case 'hosted_tool_call':
      return hostedType(wire) === undefined;
    case 'compaction':
      return typeof (wire['encrypted_content'] ?? wire['encryptedContent']) !== 'string';
    case 'program':
      return typeof wire['fingerprint'] !== 'string';
    case 'tool_search_output':
      return !Array.isArray(wire['tools']);
    case 'unknown':
      return !isRecord(data) || typeof data['type'] !== 'string';
    case 'computer_call':
      return !isRecord(action) && !(Array.isArray(wire['actions']) && wire['actions'].length > 0);
    case 'shell_call':
      return !isRecord(action) || !Array.isArray(action['commands']);
    case 'apply_patch_call':
      return !isRecord(wire['operation']);
    default:
      return false;
  }
}

const USER_PARTS: ReadonlySet<unknown> = new Set(['input_text', 'input_image', 'input_file', 'audio']);
const ASSISTANT_PARTS: ReadonlySet<unknown> = new Set(['output_text', 'refusal', 'audio', 'image']);
const OUTPUT_PARTS: ReadonlySet<unknown> = new Set(['input_text', 'input_image', 'input_file']);
const MEDIA: ReadonlySet<unknown> = new Set(['input_image', 'input_file', 'audio', 'image']);
/** Files given as text: their data, with or without their type, or where they are. */
const FILE = /^\s*(?:data:|https:\/\/|[A-Za-z0-9+/=]+\s*$)/;

/** True for a piece of content that says what it is; a text has to be one. */
export function isPiece(piece: unknown): piece is Wire {
  if (!isRecord(piece) || typeof piece['type'] !== 'string') return false;
  if (piece['type'] === 'refusal') return typeof piece['refusal'] === 'string';
  return piece['type'].endsWith('text') ? typeof piece['text'] === 'string' : true;
}

export function isAllowed(piece: Wire, role: Role): boolean {
  return (role === 'assistant' ? ASSISTANT_PARTS : USER_PARTS).has(piece['type']) && hasMedia(piece);
}

/** True unless a picture or a file is nowhere, or in a place that the framework does not look at. */
function hasMedia(piece: Wire): boolean {
  const { type, image, file } = piece;
  if (type === 'input_image') return isPlaced(image) || isText(piece['imageUrl']) || isText(piece['fileId']);
  if (type !== 'input_file') return true;
  if (typeof file === 'string') return FILE.test(file);
  return isPlaced(file) || isText(piece['fileData']) || isText(piece['fileUrl']) || isText(piece['fileId']);
}

function isPlaced(media: unknown): boolean {
  return typeof media === 'string' || (isRecord(media) && (isText(media['id']) || isText(media['url'])));
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

export function pieceKind(piece: unknown): PartKind {
  if (!isPiece(piece)) return 'opaque';
  if (piece['type'] === 'input_text' || piece['type'] === 'output_text') return 'text';
  return MEDIA.has(piece['type']) ? 'media' : 'opaque';
}

/** True for content in a form that messages of the role have. */
export function isContent(content: unknown, role: Role): boolean {
  if (typeof content === 'string') return role !== 'assistant';
  return Array.isArray(content) && role !== 'system';
}

/** True for what the framework can make a summary of. */
export function isSummary(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  for (let i = 0; i < content.length; i += 1) {
    const piece: unknown = content[i];
    if (!isRecord(piece) || typeof piece['text'] !== 'string') return false;
  }
  return true;
}

/** True for what a tool may have returned, in the form that its item has. */
export function isOutput({ type, output, tools }: Wire): boolean {
  switch (type) {
    case 'function_call_result':
      return isReturned(output);
    case 'computer_call_result':
      return isRecord(output) && typeof output['data'] === 'string';
    case 'shell_call_output':
      return Array.isArray(output);
    case 'tool_search_output':
      return Array.isArray(tools);
    default:
      return output === undefined || output === null || typeof output === 'string';
  }
}

/** A function returns a text, one piece that says what it is, or a list of what users send. */
function isReturned(output: unknown): boolean {
  if (typeof output === 'string') return true;
  if (Array.isArray(output)) {
    for (let i = 0; i < output.length; i += 1) if (!isReturnedPiece(output[i])) return false;
    return true;
  }
  if (!isRecord(output)) return false;
  if (output['type'] === 'text') return typeof output['text'] === 'string';
  return output['type'] === 'image' || output['type'] === 'file';
}

function isReturnedPiece(piece: unknown): boolean {
  return isPiece(piece) && OUTPUT_PARTS.has(piece['type']) && hasMedia(piece);
}

/** Keys of an item that say where it belongs and not what it holds. */
const BESIDE: ReadonlySet<string> = new Set(['id', 'type', 'callId', 'call_id', 'status', 'role', 'name']);

export function opaqueCharacters(wire: Wire): number {
  let count = 0;
  for (const key of Object.keys(wire)) if (!BESIDE.has(key)) count += charactersOf(wire[key]);
  return count;
}

export function callCharacters(wire: Wire): number {
  return charactersOf(wire['name']) + charactersOf(inputOf(wire));
}

/** What a tool returned: the text where it is one, and else all of it. */
export function outputOf({ output, tools }: Wire): unknown {
  if (isRecord(output) && output['type'] === 'text' && typeof output['text'] === 'string') return output['text'];
  // A shell that said nothing but what we put into its mouth.
  const [only] = Array.isArray(output) && output.length === 1 ? (output as unknown[]) : [];
  if (isRecord(only) && only['stdout'] === '' && isInvented(only['stderr'])) return only['stderr'];
  return output ?? tools;
}

function isInvented(text: unknown): boolean {
  return typeof text === 'string' && isPlaceholder(text);
}

export function outputCharacters(wire: Wire): number {
  return saidCharacters(outputOf(wire));
}

export function saidCharacters(output: unknown): number {
  if (!Array.isArray(output)) return charactersOf(output);
  let count = 0;
  for (let i = 0; i < output.length; i += 1) count += pieceCharacters(output[i]);
  return count;
}

export function pieceCharacters(piece: unknown): number {
  return pieceKind(piece) === 'text' ? charactersOf((piece as Wire)['text']) : strangerCharacters(piece);
}

/** The readable texts of reasoning: what is shown of it and, from some models, the reasoning itself. */
export function thoughts({ content, rawContent }: Wire): string[] {
  return [content, rawContent].flatMap((list) =>
    (Array.isArray(list) ? (list as unknown[]) : []).flatMap((piece) =>
      isRecord(piece) && typeof piece['text'] === 'string' ? [piece['text']] : [],
    ),
  );
}

export function thoughtCharacters(wire: Wire): number {
  return thoughts(wire).reduce((sum, text) => sum + text.length, 0);
}

/** True for an item that can be read as its type says. */
export function isReadable(wire: Wire, shape: Shape | undefined = shapeOf(wire)): boolean {
  if (shape === undefined) return false;
  if (shape.reads === 'reasoning') return isSummary(wire['content']);
  if (shape === ASSISTANT && hasCallsBeside(wire)) return false;
  return shape.reads !== 'message' || (isContent(wire['content'], shape.role) && !isUnread(wire));
}

/** True for a message with an empty content that says something elsewhere. */
function isUnread(wire: Wire): boolean {
  const { content } = wire;
  return Array.isArray(content) && content.length === 0 && saysElsewhere(wire, 'content');
}

/** True for an answer whose calls stand beside it, as in a chat. */
export function isBeside(wire: Wire): boolean {
  return shapeOf(wire) === ASSISTANT && hasCallsBeside(wire);
}

/** Characters of a known item that cannot be read as its type says. */
export function strayCharacters(wire: Wire): number {
  const read = charactersOf(contentOf(wire)) + (isBeside(wire) ? besideCharacters(callsBeside(wire)) : 0);
  return read === 0 ? charactersElsewhere(wire, 'content') : read;
}

/** The content of a message or of reasoning, which has another name in the API. */
export function contentOf({ type, content, summary }: Wire): unknown {
  return type === 'reasoning' ? (content ?? summary) : content;
}

export function tagged(type: string, text: string): Wire {
  return { type, text };
}

/** JSON pointer of a part inside its item; most are one part, and what has no item yet was made of a content. */
export function pointer(wire: unknown, part: number): string {
  if (wire === undefined) return '/content';
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape?.reads !== 'message') return '';
  return Array.isArray(wire['content']) ? `/content/${String(part)}` : '/content';
}
