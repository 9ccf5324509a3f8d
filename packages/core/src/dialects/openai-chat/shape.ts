import { idText } from '../../model/call-id.ts';
import type { PartKind, Role } from '../../model/part.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { strangerCharacters } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** Content that stands beside `content` in an assistant message, in the order in which it is read. */
export const ASIDE_KEYS = ['refusal', 'function_call', 'audio'] as const;

type AsideKey = (typeof ASIDE_KEYS)[number];

/** The wire of a part that is a key of its message, and so can be told from a piece of its content. */
export class Aside {
  readonly key: AsideKey | 'reasoning_content';
  readonly value: unknown;

  constructor(key: AsideKey | 'reasoning_content', value: unknown) {
    this.key = key;
    this.value = value;
  }
}

/** The calls of an answer, also under the spelling of clients in JavaScript, which an API does not know. */
export function callsOf(wire: Wire): unknown {
  return isCamelAnswer(wire) ? wire['toolCalls'] : wire['tool_calls'];
}

/** True for an answer that lists its calls under the other spelling alone. */
export function isCamelAnswer({ role, tool_calls: calls, toolCalls: other }: Wire): boolean {
  return role === 'assistant' && (calls ?? undefined) === undefined && Array.isArray(other) && other.length > 0;
}

/** The id of the call that a result answers, in either spelling. */
export function resultIdOf({ tool_call_id: id, toolCallId: other }: Wire): string | undefined {
  return idText(id ?? other);
}

/** How a role is read; undefined for a role this dialect does not have. */
export function roleOf(role: unknown): Exclude<Role, 'unreadable'> | undefined {
  switch (role) {
    case 'user':
    case 'assistant':
    case 'tool':
    case 'system':
      return role;
    case 'developer':
      return 'system';
    // The predecessor of `tool`, which names no call and so takes part in no pair.
    case 'function':
      return 'user';
    default:
      return undefined;
  }
}

/** True when a key of an assistant message is content by itself. */
export function isAside(wire: Wire, key: AsideKey): boolean {
  const value = wire[key];
  return key === 'refusal' ? typeof value === 'string' : isRecord(value);
}

/** True for an object that says what it is; a text has to be one. */
export function isPiece(piece: unknown): piece is Wire {
  if (!isRecord(piece)) return false;
  const type = piece['type'];
  return type === 'text' ? typeof piece['text'] === 'string' : typeof type === 'string';
}

export function pieceKind(piece: unknown): PartKind {
  if (!isPiece(piece)) return 'opaque';
  switch (piece['type']) {
    case 'text':
      return 'text';
    case 'image_url':
    case 'input_audio':
    case 'file':
      return 'media';
    default:
      return 'opaque';
  }
}

/** The key that holds the name and the input of a call. */
export function calleeKey(call: Wire): 'function' | 'custom' {
  const type = call['type'];
  if (type === 'custom' || type === 'function') return type;
  return isRecord(call['custom']) && !isRecord(call['function']) ? 'custom' : 'function';
}

/** Name and input of a call, wherever they are. */
export function calleeOf(call: Wire): { tool: unknown; input: unknown } {
  const key = calleeKey(call);
  const own = call[key];
  const callee = isRecord(own) ? own : ([call['function'], call['custom']].find(isRecord) ?? call);
  const { arguments: text, input } = callee;
  return { tool: callee['name'], input: key === 'custom' ? (input ?? text) : (text ?? input) };
}

export function callCharacters(call: Wire): number {
  const { tool, input } = calleeOf(call);
  return charactersOf(tool) + charactersOf(input);
}

/** Characters of content in one piece: its text, or all of it where it is something else. */
export function pieceCharacters(piece: unknown): number {
  return pieceKind(piece) === 'text' ? charactersOf((piece as Wire)['text']) : strangerCharacters(piece);
}

/** How many parts are read from a content. */
function pieceCount(content: unknown): number {
  if (content === undefined || content === null) return 0;
  return Array.isArray(content) ? content.length : 1;
}

/** JSON pointer of a part inside its message; a result is its message. */
export function pointer(wire: unknown, part: number): string {
  if (!isRecord(wire) || wire['role'] === 'tool') return '';
  const content = wire['content'];
  const pieces = pieceCount(content);
  if (part < pieces) return Array.isArray(content) ? `/content/${String(part)}` : '/content';
  const asides = wire['role'] === 'assistant' ? ASIDE_KEYS.filter((key) => isAside(wire, key)) : [];
  const aside = asides[part - pieces];
  const calls = isCamelAnswer(wire) ? 'toolCalls' : 'tool_calls';
  return aside === undefined ? `/${calls}/${String(part - pieces - asides.length)}` : `/${aside}`;
}
