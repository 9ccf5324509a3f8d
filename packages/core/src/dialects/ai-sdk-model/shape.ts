import { idText } from '../../model/call-id.ts';
import type { Mark, Outcome, PartKind, Role, Seal } from '../../model/part.ts';
import { charactersOf, isRecord, readableJson } from '../../model/value.ts';
import { hasCallsBeside } from '../calls-beside.ts';
import { saysElsewhere } from '../elsewhere.ts';
import { readableText } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** The roles of the dialect are the roles of the model. */
export function roleOf(role: unknown): Exclude<Role, 'unreadable'> | undefined {
  return role === 'user' || role === 'assistant' || role === 'tool' || role === 'system' ? role : undefined;
}

/** True for content in a form that messages of the role have. */
export function isContent(content: unknown, role: Role): boolean {
  if (typeof content === 'string') return role !== 'tool';
  return Array.isArray(content) && role !== 'system';
}

/** True for an answer whose calls stand beside its content, as in a chat. */
export function isBeside(wire: unknown, role: Role): boolean {
  return role === 'assistant' && hasCallsBeside(wire as Wire);
}

/** True for a message with an empty list as its content that says something elsewhere; a tool may say nothing. */
export function isUnread(wire: Wire): boolean {
  const { role, content } = wire;
  return role !== 'tool' && Array.isArray(content) && content.length === 0 && saysElsewhere(wire, 'content');
}

/** How a part of a model message is read, and whose message it belongs in. */
export type Shape = {
  readonly kind: PartKind;
  /** Run by the provider itself. */
  readonly server: boolean;
  /** Says something, but not in a form that anyone can read. */
  readonly unreadable: boolean;
  /** Readable, and yet no message of this role may hold it. */
  readonly refused: boolean;
  /** The role in whose messages it belongs, where that is another one. */
  readonly belongs: Role | undefined;
};

const shape = (kind: PartKind, more: Partial<Shape> = {}): Shape => ({
  kind,
  server: false,
  unreadable: false,
  refused: false,
  belongs: undefined,
  ...more,
});

const UNREADABLE = shape('opaque', { unreadable: true });
const REFUSED = shape('opaque', { refused: true });
const OPAQUE = shape('opaque');
const TEXT = shape('text');
const TEXT_OF_USER = shape('text', { belongs: 'user' });
const REASONING = shape('reasoning');
const REASONING_ELSEWHERE = shape('reasoning', { belongs: 'assistant' });
const MEDIA = shape('media');
const MEDIA_REFUSED = shape('media', { refused: true });
const MEDIA_OF_USER = shape('media', { belongs: 'user' });
const CALL = shape('call');
const CALL_ELSEWHERE = shape('call', { belongs: 'assistant' });
const SERVER_CALL = shape('call', { server: true });
const SERVER_CALL_ELSEWHERE = shape('call', { server: true, belongs: 'assistant' });
const RESULT = shape('result');
const RESULT_ELSEWHERE = shape('result', { belongs: 'tool' });
const SERVER_RESULT = shape('result', { server: true });

/** Reads the shape of a part; `calls` are those of the list it stands in. */
export function shapeOf(part: unknown, role: Role, calls: ClientCalls): Shape {
  if (!isRecord(part)) return UNREADABLE;
  switch (part['type']) {
    case 'text':
      if (typeof part['text'] !== 'string') return UNREADABLE;
      return role === 'tool' ? TEXT_OF_USER : TEXT;
    case 'reasoning':
      if (typeof part['text'] !== 'string') return UNREADABLE;
      return role === 'assistant' ? REASONING : REASONING_ELSEWHERE;
    case 'image':
      return mediaShape(part['image'], role, role === 'assistant');
    case 'file':
      return typeof part['mediaType'] === 'string' ? mediaShape(part['data'], role, false) : UNREADABLE;
    case 'reasoning-file':
      if (typeof part['mediaType'] !== 'string' || !isData(part['data'])) return UNREADABLE;
      return role === 'assistant' ? OPAQUE : REFUSED;
    case 'tool-call':
      return callShape(part, role);
    case 'tool-result':
      return resultShape(part, role, calls);
    default:
      return otherShape(part, role);
  }
}

function mediaShape(data: unknown, role: Role, refused: boolean): Shape {
  if (!isData(data)) return UNREADABLE;
  if (role === 'tool') return MEDIA_OF_USER;
  return refused ? MEDIA_REFUSED : MEDIA;
}

/** A text, bytes, an address, or an object that names the data in one of several ways. */
function isData(data: unknown): boolean {
  return typeof data === 'string' || isRecord(data);
}

function callShape(part: Wire, role: Role): Shape {
  if (part['providerExecuted'] !== true) return role === 'assistant' ? CALL : CALL_ELSEWHERE;
  if (!isNamed(part)) return UNREADABLE;
  return role === 'assistant' ? SERVER_CALL : SERVER_CALL_ELSEWHERE;
}

/** What the provider ran by itself is paired by its id alone and cannot be completed from outside. */
function isNamed(part: Wire): boolean {
  return typeof part['toolCallId'] === 'string' && typeof part['toolName'] === 'string';
}

function resultShape(part: Wire, role: Role, calls: ClientCalls): Shape {
  if (role === 'tool') return RESULT;
  if (role !== 'assistant' || calls.has(part['toolCallId'])) return RESULT_ELSEWHERE;
  return isNamed(part) ? SERVER_RESULT : UNREADABLE;
}

/** Our own calls in an answer, where only the provider's own results may stand. */
export class ClientCalls {
  readonly #content: readonly unknown[];
  #ids: ReadonlySet<unknown> | undefined;

  constructor(content: readonly unknown[]) {
    this.#content = content;
  }

  /** True where one of them has the id. */
  has(id: unknown): boolean {
    this.#ids ??= new Set(this.#content.filter(isClientCall).map((part) => idText(part['toolCallId'])));
    return this.#ids.has(idText(id));
  }
}

function isClientCall(part: unknown): part is Wire {
  return isRecord(part) && part['type'] === 'tool-call' && part['providerExecuted'] !== true;
}

function otherShape(part: Wire, role: Role): Shape {
  const { type } = part;
  if (typeof type !== 'string') return UNREADABLE;
  const known =
    (type === 'custom' && role === 'assistant' && typeof part['kind'] === 'string') ||
    (type === 'tool-approval-request' &&
      role === 'assistant' &&
      typeof part['approvalId'] === 'string' &&
      typeof part['toolCallId'] === 'string') ||
    (type === 'tool-approval-response' &&
      role === 'tool' &&
      typeof part['approvalId'] === 'string' &&
      typeof part['approved'] === 'boolean');
  return known ? OPAQUE : REFUSED;
}

/** True for reasoning that comes with something only its provider can read. */
export function isSealed(part: Wire): boolean {
  const options = part['providerOptions'];
  if (!isRecord(options)) return false;
  for (const key in options) if (Object.hasOwn(options, key)) return true;
  return false;
}

const PIECES: ReadonlySet<unknown> = new Set([
  'text',
  'file',
  'file-data',
  'file-url',
  'file-id',
  'file-reference',
  'image-data',
  'image-url',
  'image-file-id',
  'image-file-reference',
  'custom',
]);

/** True for an output in one of the forms the framework knows. */
export function isOutput(output: unknown): output is Wire {
  if (!isRecord(output)) return false;
  const { value, reason } = output;
  switch (output['type']) {
    case 'text':
    case 'error-text':
      return typeof value === 'string';
    case 'json':
    case 'error-json':
      return value !== undefined;
    case 'execution-denied':
      return reason === undefined || typeof reason === 'string';
    case 'content':
      return Array.isArray(value) && value.every(isPiece);
    default:
      return false;
  }
}

function isPiece(piece: unknown): boolean {
  if (!isRecord(piece) || !PIECES.has(piece['type'])) return false;
  return piece['type'] !== 'text' || typeof piece['text'] === 'string';
}

/** What a result says, wherever it says it: earlier versions of the framework wrote `result`. */
export function outputOf(part: Wire): unknown {
  return part['output'] ?? part['result'];
}

/** The content of an output without the form around it. */
function saidBy(output: unknown): unknown {
  if (!isOutput(output)) return output;
  return output['type'] === 'execution-denied' ? output['reason'] : output['value'];
}

export function outputCharacters(part: Wire): number {
  return charactersOf(saidBy(outputOf(part)));
}

export function outputText(part: Wire): string {
  const output = outputOf(part);
  const said = saidBy(output);
  if (isOutput(output) && (output['type'] === 'json' || output['type'] === 'error-json')) return readableJson(said);
  return readableText(said);
}

export function outcomeOf(part: Wire): Outcome {
  const output = outputOf(part);
  const type = isRecord(output) ? output['type'] : undefined;
  if (type === 'execution-denied') return 'denied';
  return type === 'error-text' || type === 'error-json' ? 'error' : 'ok';
}

export function callCharacters(wire: Wire): number {
  return charactersOf(wire['toolName']) + charactersOf(inputOf(wire));
}

/** The arguments of a call: earlier versions of the framework wrote `args`. */
export function inputOf(wire: Wire): unknown {
  return wire['input'] ?? wire['args'];
}

/** Decisions on approval are no content; anything else in a part without a kind of its own is. */
export function otherCharacters(wire: Wire): number {
  return String(wire['type']).startsWith('tool-approval-') ? 0 : charactersOf(wire);
}

/** JSON pointer of a part inside its message. */
export function pointer(wire: unknown, part: number): string {
  return isRecord(wire) && Array.isArray(wire['content']) ? `/content/${String(part)}` : '/content';
}

/** What the options of a part say that other dialects can say too. */
export type Options = { readonly seal?: Seal; readonly cache?: Mark; readonly item?: string };

/** Providers whose options are read, and the names their makers have here. */
export const MAKERS: ReadonlySet<string> = new Set(['anthropic', 'bedrock', 'openai', 'google']);
