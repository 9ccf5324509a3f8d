import { idText } from '../../model/call-id.ts';
import type { ItemKind } from '../../model/codec.ts';
import type { PartKind, Role } from '../../model/part.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { strangerCharacters } from '../salvage.ts';

export type Wire = Record<string, unknown>;

export const MAKER = 'openai';

/** How an entry of the list is read. */
export type Shape = {
  readonly reads: 'message' | 'call' | 'result' | 'reasoning' | 'opaque';
  readonly role: Exclude<Role, 'unreadable'>;
  /** What the entry is to the ones beside it. */
  readonly order: ItemKind;
  /** How an id of this type begins. */
  readonly prefix?: string;
  /** Tools whose calls and outputs match among themselves only; absent means functions. */
  readonly family?: string;
};

const USER: Shape = { reads: 'message', role: 'user', order: 'other', prefix: 'msg' };
const SYSTEM: Shape = { reads: 'message', role: 'system', order: 'other', prefix: 'msg' };
export const ASSISTANT: Shape = { reads: 'message', role: 'assistant', order: 'made', prefix: 'msg' };

const call = (family: string, prefix?: string): Shape => ({
  reads: 'call',
  role: 'assistant',
  order: 'made',
  family,
  ...(prefix === undefined ? {} : { prefix }),
});
const output = (family: string): Shape => ({ reads: 'result', role: 'tool', order: 'other', family });
/** Something that the provider has made and that is carried as it is. */
const hosted = (prefix?: string, order: ItemKind = 'made'): Shape => ({
  reads: 'opaque',
  role: 'assistant',
  order,
  ...(prefix === undefined ? {} : { prefix }),
});

const SHAPES: ReadonlyMap<unknown, Shape> = new Map<unknown, Shape>([
  ['function_call', { reads: 'call', role: 'assistant', order: 'made', prefix: 'fc' }],
  ['function_call_output', { reads: 'result', role: 'tool', order: 'other' }],
  ['reasoning', { reads: 'reasoning', role: 'assistant', order: 'thought', prefix: 'rs' }],
  ['custom_tool_call', call('custom tool', 'ctc')],
  ['custom_tool_call_output', output('custom tool')],
  ['tool_search_call', call('tool search', 'tsc')],
  ['tool_search_output', output('tool search')],
  ['computer_call', call('computer', 'cu')],
  ['computer_call_output', output('computer')],
  ['shell_call', call('shell')],
  ['shell_call_output', output('shell')],
  ['local_shell_call', call('local shell')],
  ['local_shell_call_output', output('local shell')],
  ['apply_patch_call', call('apply patch')],
  ['apply_patch_call_output', output('apply patch')],
  ['web_search_call', hosted('ws')],
  ['file_search_call', hosted('fs')],
  ['image_generation_call', hosted('ig')],
  ['code_interpreter_call', hosted('ci')],
  ['mcp_call', hosted('mcp')],
  ['mcp_list_tools', hosted('mcpl')],
  ['mcp_approval_request', hosted()],
  ['mcp_approval_response', { reads: 'opaque', role: 'user', order: 'other' }],
  ['multi_agent_call', hosted()],
  ['multi_agent_call_output', hosted()],
  ['agent_message', hosted()],
  ['program', hosted(undefined, 'program')],
  ['program_output', hosted(undefined, 'program-output')],
  ['item_reference', hosted(undefined, 'reference')],
  ['compaction', hosted('cmp')],
  ['compaction_trigger', { reads: 'opaque', role: 'system', order: 'trigger' }],
  ['additional_tools', { reads: 'opaque', role: 'system', order: 'other' }],
]);

const REFERENCE: Shape = hosted(undefined, 'reference');
const REFERENCE_TO_THOUGHT: Shape = hosted(undefined, 'thought');
const LATER: Shape = hosted();
const HOSTED_CALL: Shape = hosted('tsc');
const HOSTED_OUTPUT: Shape = hosted(undefined, 'other');
/** The API names its types by what they are, so a type of this form is one that came later. */
const LIKE_A_TYPE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*_(?:call|output|request|response|message|reference|tools)$/;

/** How an entry is read; undefined for one that is not of this dialect. */
export function shapeOf(wire: Wire): Shape | undefined {
  const { type } = wire;
  if (type === undefined || type === null || type === 'message') return messageShape(wire, type);
  const shape = SHAPES.get(type);
  if (shape === undefined) return typeof type === 'string' && LIKE_A_TYPE.test(type) ? LATER : undefined;
  if (type === 'item_reference') return referenceShape(wire);
  return shape.family === 'tool search' && isHosted(wire) ? hostedSearch(type) : shape;
}

/** An id tells what it refers to. */
function referenceShape({ id }: Wire): Shape {
  return typeof id === 'string' && id.startsWith('rs_') ? REFERENCE_TO_THOUGHT : REFERENCE;
}

function messageShape(wire: Wire, type: unknown): Shape | undefined {
  switch (wire['role']) {
    case 'user':
      return USER;
    case 'assistant':
      return ASSISTANT;
    case 'system':
    case 'developer':
      return SYSTEM;
    case undefined:
      return type !== 'message' && typeof wire['id'] === 'string' ? referenceShape(wire) : undefined;
    default:
      return undefined;
  }
}

/** A search that the provider runs itself has no call id, or says so. */
function isHosted(wire: Wire): boolean {
  const { call_id: id } = wire;
  return id === undefined || id === null || wire['execution'] === 'server';
}

function hostedSearch(type: unknown): Shape {
  return type === 'tool_search_call' ? HOSTED_CALL : HOSTED_OUTPUT;
}

/** The id that joins a call and its output. */
export function callIdOf(wire: Wire): string | undefined {
  const { call_id: id } = wire;
  const text = idText(id);
  if (text !== undefined) return text;
  // The predecessor of the shell names its call by the id of the output.
  const own = wire['type'] === 'local_shell_call_output' ? wire['id'] : undefined;
  return typeof own === 'string' ? own : undefined;
}

/** The keys under which the tools of the API take their input, and give their output. */
const INPUT_KEYS = ['arguments', 'input', 'action', 'operation'] as const;
const OUTPUT_KEYS = ['output', 'tools'] as const;

export function inputOf(wire: Wire): unknown {
  for (const key of INPUT_KEYS) if (wire[key] !== undefined) return wire[key];
  return undefined;
}

export function outputOf(wire: Wire): unknown {
  for (const key of OUTPUT_KEYS) if (wire[key] !== undefined) return wire[key];
  return undefined;
}

/** True where a call has a name and its input is a text. */
export function isNamed({ type }: Wire): boolean {
  return type === 'function_call' || type === 'custom_tool_call';
}

/** True where the output is a text or a list of pieces. */
export function isWritten({ type }: Wire): boolean {
  return type === 'function_call_output' || type === 'custom_tool_call_output';
}

/** True for an object that says what it is; a text has to be one. */
export function isPiece(piece: unknown): piece is Wire {
  if (!isRecord(piece)) return false;
  const { type } = piece;
  if (type === 'input_text' || type === 'output_text') return typeof piece['text'] === 'string';
  if (type === 'refusal') return typeof piece['refusal'] === 'string';
  return typeof type === 'string';
}

export function pieceKind(piece: unknown): PartKind {
  if (!isPiece(piece)) return 'opaque';
  switch (piece['type']) {
    case 'input_text':
    case 'output_text':
      return 'text';
    case 'input_image':
    case 'input_file':
    case 'input_audio':
      return 'media';
    default:
      return 'opaque';
  }
}

/** True for a message that lost its content. */
export function isMute({ content }: Wire): boolean {
  return content === undefined || content === null;
}

/** Characters of content in one piece: its text, or all of it where it is something else. */
export function pieceCharacters(piece: unknown): number {
  return pieceKind(piece) === 'text' ? charactersOf((piece as Wire)['text']) : strangerCharacters(piece);
}

export function callCharacters(wire: Wire): number {
  return charactersOf(wire['name']) + charactersOf(inputOf(wire));
}

export function outputCharacters(wire: Wire): number {
  const output = outputOf(wire);
  if (!Array.isArray(output) || !isWritten(wire)) return charactersOf(output);
  let count = 0;
  for (const piece of output as unknown[]) count += pieceCharacters(piece);
  return count;
}

/** The readable texts of reasoning: its summary and, from some models, the reasoning itself. */
export function reasoningTexts({ summary, content }: Wire): string[] {
  const lists = [summary, content].flatMap((list): unknown[] => (Array.isArray(list) ? Array.from(list) : [list]));
  return lists.flatMap((piece) => textOf(piece) ?? []);
}

/** Keys of an entry that say where it belongs and not what it holds. */
const BESIDE: ReadonlySet<string> = new Set(['id', 'type', 'call_id', 'status', 'role', 'phase']);

export function opaqueCharacters(wire: Wire): number {
  let count = 0;
  for (const key of Object.keys(wire)) if (!BESIDE.has(key)) count += charactersOf(wire[key]);
  return count;
}

export function reasoningCharacters({ summary, content }: Wire): number {
  return textsSize(summary) + textsSize(content);
}

function textsSize(list: unknown): number {
  if (!Array.isArray(list)) return textOf(list)?.length ?? 0;
  let count = 0;
  for (let i = 0; i < list.length; i += 1) count += textOf(list[i])?.length ?? 0;
  return count;
}

/** The text of a piece of reasoning, however it was stored. */
function textOf(piece: unknown): string | undefined {
  const text = isRecord(piece) ? piece['text'] : piece;
  return typeof text === 'string' ? text : undefined;
}

/** JSON pointer of a part inside its entry; most are one part, and what has no entry yet was made of a content. */
export function pointer(wire: unknown, part: number): string {
  if (wire === undefined) return '/content';
  if (!isRecord(wire) || shapeOf(wire)?.reads !== 'message') return '';
  return Array.isArray(wire['content']) ? `/content/${String(part)}` : '/content';
}
