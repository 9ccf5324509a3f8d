import { idText } from '../../model/call-id.ts';
import type { Role } from '../../model/part.ts';
import { charactersOf, isRecord } from '../../model/value.ts';
import { legacyKey, legacyList, repeats } from '../legacy-calls.ts';

export type Wire = Record<string, unknown>;

/** How a part is read: as which kind, and whether the provider itself runs the tool. */
export type Shape =
  | 'prompt'
  | 'text'
  | 'thinking'
  | 'call'
  | 'return'
  | 'retry'
  | 'server-call'
  | 'server-return'
  | 'media';

const SHAPES: ReadonlyMap<unknown, Shape> = new Map([
  ['user-prompt', 'prompt'],
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['tool-call', 'call'],
  ['tool-return', 'return'],
  ['retry-prompt', 'retry'],
  ['builtin-tool-call', 'server-call'],
  ['native-tool-call', 'server-call'],
  ['builtin-tool-return', 'server-return'],
  ['native-tool-return', 'server-return'],
  ['file', 'media'],
]);

export function roleOf(wire: Wire): 'user' | 'assistant' | undefined {
  const kind = wire['kind'];
  return kind === 'request' ? 'user' : kind === 'response' ? 'assistant' : undefined;
}

export function kindOf(part: Wire): unknown {
  return part['part_kind'] ?? part['partKind'];
}

export function idOf(part: Wire): string | undefined {
  return idText(part['tool_call_id'] ?? part['toolCallId']);
}

/** True for an id that is a number: it is read as its text, and has to be written as that. */
export function hasNumberId(part: Wire): boolean {
  return typeof (part['tool_call_id'] ?? part['toolCallId'] ?? part['id']) === 'number';
}

export function nameOf(part: Wire): unknown {
  return part['tool_name'] ?? part['toolName'];
}

/** A retry that names a tool answers its call; one that names none is said to the model as text. */
export function shapeOf(part: Wire, role: Role): Shape | undefined {
  const shape = SHAPES.get(kindOf(part));
  if (shape === 'retry' && (nameOf(part) ?? undefined) === undefined) return 'prompt';
  // Pairs of the provider's own tools live in responses; elsewhere such a part means nothing and is carried.
  return isServer(shape) && role !== 'assistant' ? undefined : shape;
}

/** True for a retry that answers no call and carries an id all the same, which may be that of a call. */
export function isNamelessRetry(part: Wire): boolean {
  return kindOf(part) === 'retry-prompt' && idOf(part) !== undefined;
}

function isServer(shape: Shape | undefined): boolean {
  return shape === 'server-call' || shape === 'server-return';
}

/** True for a part of no kind, and for one of the given shape that lacks what makes it one. */
export function isUnreadable(part: Wire, shape: Shape | undefined): boolean {
  if (typeof kindOf(part) !== 'string') return true;
  // What the provider ran by itself is paired by its id alone and cannot be completed from outside.
  return isServer(shape) && ((idOf(part) ?? '') === '' || typeof nameOf(part) !== 'string');
}

export function legacyName(entry: Wire): unknown {
  const inner = isRecord(entry['function']) ? entry['function'] : entry;
  return nameOf(entry) ?? inner['name'];
}

export function legacyInput(entry: Wire): unknown {
  const inner = isRecord(entry['function']) ? entry['function'] : entry;
  return entry['args'] ?? inner['arguments'];
}

/** Characters of content in a part; ids, dates and the like are none. */
export function measure(part: Wire, shape: Shape | undefined): number {
  switch (shape) {
    case undefined:
      return charactersOf(part);
    case 'call':
    case 'server-call':
      return charactersOf(part['args']) + charactersOf(nameOf(part));
    default:
      return charactersOf(part['content']);
  }
}

/** What a message without a list of parts says; a request cannot call, so calls beside nothing are all it says. */
export function contentOf(wire: Wire): unknown {
  const parts = wire['parts'];
  const content = (Array.isArray(parts) ? undefined : parts) ?? wire['content'];
  return isEmpty(content) && roleOf(wire) === 'user' ? legacyList(wire) : content;
}

/** The parts of a message, unless there are none or they are nothing beside the calls of a request. */
export function listOf(wire: Wire): readonly unknown[] | undefined {
  const parts = wire['parts'];
  if (!Array.isArray(parts)) return undefined;
  const beside = parts.length > 0 && roleOf(wire) === 'user' ? legacyList(wire) : undefined;
  return beside !== undefined && charactersOf(beside) > 0 && parts.every(isNothing) ? undefined : parts;
}

function isNothing(part: unknown): boolean {
  return isRecord(part) && kindOf(part) === undefined && charactersOf(part) === 0;
}

export function isEmpty(content: unknown): boolean {
  return content === undefined || content === null || content === '';
}

/** Characters of a message whose kind is known and whose parts are no list. */
export function contentCharacters(wire: Wire): number {
  return charactersOf(contentOf(wire));
}

export function pointer(wire: unknown, part: number): string {
  const own = isRecord(wire) && Array.isArray(wire['parts']) ? (wire['parts'] as unknown[]) : [];
  const entries = isRecord(wire) ? legacyList(wire) : undefined;
  if (!isRecord(wire) || part < own.length || entries === undefined) return `/parts/${String(part)}`;
  const isRepeat = repeats(entries, own);
  const added = [...entries.keys()].filter((i) => !isRepeat(entries[i]));
  return `/${legacyKey(wire)}/${String(added[part - own.length] ?? 0)}`;
}

/** True for what the system says in a request. */
export function isSystem(part: unknown): part is Wire {
  return isRecord(part) && kindOf(part) === 'system-prompt';
}
