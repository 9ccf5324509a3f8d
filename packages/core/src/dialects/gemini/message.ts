import { idText } from '../../model/call-id.ts';
import type { CallPart, Message, Part, Place, ResultPart, Role } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import {
  callIdOf,
  dataKey,
  type DataKey,
  fieldOf,
  partCharacters,
  partsIn,
  signatureOf,
  unreadCharacters,
  wireId,
} from './part.ts';
import { saysElsewhere } from '../elsewhere.ts';
import { isPairOrThought } from '../foreign-piece.ts';
import { readableText, salvageMessage, unreadOf } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** Who speaks in a content; a role that is missing or empty is the user's. */
export function roleOf(role: unknown): Role | undefined {
  if (role === undefined || role === null || role === '' || role === 'user') return 'user';
  if (role === 'model') return 'assistant';
  return role === 'system' ? 'system' : undefined;
}

/** A content that lost its parts, but not what another format would call its content. */
export function hasForeignContent(wire: Wire): boolean {
  const { parts, content, text } = wire;
  if (Array.isArray(parts)) return parts.length === 0 && saysElsewhere(wire, 'parts');
  if (parts !== undefined && parts !== null) return true;
  if ((content !== undefined && content !== null) || typeof text === 'string') return true;
  return saysElsewhere(wire, 'parts') || isPairOrThought(wire);
}

/** True for a content of which there is nothing to read. */
export function isMute(parts: readonly unknown[] | undefined): boolean {
  return parts === undefined || parts.length === 0;
}

/** Reads one content. */
export function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  const parts = isRecord(wire) ? partsIn(wire) : undefined;
  if (!isRecord(wire) || role === undefined || (isMute(parts) && hasForeignContent(wire))) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: unreadCharacters(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  return { role, parts: readParts(role, parts ?? [], index), wire, at: index };
}

/** Reads the parts of a content, whoever speaks. */
export function readParts(role: Role, parts: readonly unknown[], index: number): Part[] {
  const found: Part[] = [];
  // A list may have holes, which are parts that say nothing.
  for (let i = 0; i < parts.length; i += 1) found.push(readPart(parts[i], role, { message: index, part: i }));
  return found;
}

function readPart(wire: unknown, role: Role, at: Place): Part {
  if (!isRecord(wire)) return { kind: 'opaque', wire, at, characters: charactersOf(wire) };
  const key = dataKey(wire);
  const characters = partCharacters(wire, key);
  switch (fieldOf(wire, key)) {
    case 'text':
      return readText(wire, role, { at, characters });
    case 'call':
      return readCall(wire, innerOf(wire, key), { at, characters });
    case 'result':
      return readResult(wire, innerOf(wire, key), { at, characters });
    case 'media':
      return { kind: 'media', wire, at, characters };
    default:
      return { kind: 'opaque', wire, at, characters };
  }
}

/** The object that holds a call or a result. */
function innerOf(wire: Wire, key: DataKey): Wire {
  const inner = typeof key === 'string' ? wire[key] : undefined;
  return isRecord(inner) ? inner : {};
}

type Known = { readonly at: Place; readonly characters: number };

function readText(wire: Wire, role: Role, { at, characters }: Known): Part {
  const text = wire['text'] as string;
  if (wire['thought'] !== true || role !== 'assistant') return { kind: 'text', text, wire, at, characters };
  return { kind: 'reasoning', text, sealed: signatureOf(wire) !== undefined, wire, at, characters };
}

function readCall(wire: Wire, inner: Wire, { at, characters }: Known): CallPart {
  const tool = typeof inner['name'] === 'string' ? inner['name'] : '';
  return { kind: 'call', callId: callIdOf(inner), tool, input: inner['args'], server: false, wire, at, characters };
}

function readResult(wire: Wire, inner: Wire, { at, characters }: Known): ResultPart {
  const { name, response, parts } = inner;
  const said = responseText(response);
  const shown = parts === undefined || parts === null ? '' : readableJson(parts);
  const callId = callIdOf(inner);
  const outcome = isRecord(response) && Object.hasOwn(response, 'error') ? 'error' : 'ok';
  const text = shown === '' ? said : `${said}\n${shown}`;
  const named = typeof name === 'string' ? { tool: name } : {};
  return { kind: 'result', callId, ...named, outcome, text, server: false, wire, at, characters };
}

/** The text of a response that holds nothing else; its JSON otherwise. */
function responseText(response: unknown): string {
  if (response === undefined || response === null) return '';
  if (!isRecord(response)) return readableJson(response);
  const keys = Object.keys(response);
  const only = keys.length === 1 && ANSWERS.has(keys[0]) ? response[String(keys[0])] : undefined;
  return typeof only === 'string' ? only : readableJson(response);
}

const ANSWERS: ReadonlySet<string | undefined> = new Set(['output', 'result', 'error']);

/** Writes a content; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, wire } = message;
  if (role === 'unreadable') return wire;
  const parts = message.parts.map(writePart);
  const own = isRecord(wire) ? wire : undefined;
  const single = parts.length === 1 && isRecord(own?.['parts']) && parts[0] === own['parts'];
  const none = parts.length === 0 && own !== undefined && partsIn(own) === undefined;
  const changes = single || none ? {} : { parts };
  if (own !== undefined && roleOf(own['role']) === role) return withKeys(own, changes);
  return withKeys(own, { role: role === 'assistant' ? 'model' : role === 'system' ? 'system' : 'user', ...changes });
}

function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      return withKeys(part.wire, { text: part.text });
    case 'reasoning':
      return withKeys(part.wire, { text: part.text, thought: true });
    case 'call':
      return writeInner(part, 'functionCall', { name: part.tool, args: part.input });
    case 'result':
      return writeInner(part, 'functionResponse', writtenResult(part));
    default:
      return part.wire;
  }
}

function writtenResult({ wire, tool, text, outcome }: ResultPart): Wire {
  const named = { name: tool ?? '' };
  if (wire !== undefined) return named;
  return { ...named, response: outcome === 'ok' ? { result: text } : { error: text } };
}

/** Writes fields into the object that holds a call or a result, under the spelling it came with. */
function writeInner({ wire, callId }: CallPart | ResultPart, usual: string, fields: Wire): unknown {
  const key = (isRecord(wire) ? dataKey(wire) : usual) ?? usual;
  const id = wireId(callId);
  const inner = isRecord(wire) ? wire[key] : undefined;
  return withKeys(wire, { [key]: withKeys(inner, id === undefined ? fields : { id, ...fields }) });
}

/** JSON pointer of a part inside its content. */
export function pointer(wire: unknown, part: number): string {
  return isRecord(wire) && isRecord(wire['parts']) ? '/parts' : `/parts/${String(part)}`;
}

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['user', 'user'],
  ['human', 'user'],
  ['request', 'user'],
  ['function', 'user'],
  ['tool', 'user'],
  ['tool_result', 'user'],
  ['model', 'assistant'],
  ['assistant', 'assistant'],
  ['ai', 'assistant'],
  ['bot', 'assistant'],
  ['response', 'assistant'],
  ['system', 'system'],
  ['developer', 'system'],
]);

const CONTENT_KEYS: ReadonlySet<string> = new Set(['role', 'parts']);

/** Whatever can be read of a content in another shape. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const parts = isRecord(wire) ? partsIn(wire) : undefined;
  if (!isRecord(wire) || parts === undefined) return salvageMessage(wire, index, { readParts: adopt, results: 'user' });
  const name = wire['role'];
  const role = typeof name === 'string' ? ROLES.get(name.toLowerCase()) : undefined;
  const found = readParts(role ?? 'user', parts, index);
  if (found.length === 0) return undefined;
  const own = role === undefined ? found.map(marked) : found;
  return { role: role ?? 'user', parts: own, at: index, ...unreadOf(wire, CONTENT_KEYS) };
}

/** Nobody knows who said it, so it says that of itself. */
function marked(part: Part): Part {
  return part.kind === 'text' ? { ...part, text: `${TEXTS.unreadable} ${part.text}`, edited: true } : part;
}

/** Parts of other formats say their type; what a call or a text is called there is known well enough to be read. */
function adopt(role: Role, parts: readonly unknown[], index: number): Part[] {
  return Array.from(parts, (wire, i) => {
    const at = { message: index, part: i };
    const type = isRecord(wire) ? wire['type'] : undefined;
    const part = isRecord(wire) && typeof type === 'string' ? adoptPart(wire, type, at) : undefined;
    return { ...(part ?? readPart(wire, role, at)), characters: 0 };
  });
}

function adoptPart(wire: Wire, type: string, at: Place): Part | undefined {
  const { text, id, name, input, content } = wire;
  if (type === 'text' && typeof text === 'string') return textPart(text, 0, at);
  if (type === 'tool_use') {
    const callId = idText(id) ?? '';
    return {
      kind: 'call',
      callId,
      tool: typeof name === 'string' ? name : '',
      input,
      server: false,
      at,
      characters: 0,
    };
  }
  if (type !== 'tool_result') return undefined;
  const callId = idText(wire['tool_use_id']) ?? '';
  const outcome = wire['is_error'] === true ? 'error' : 'ok';
  return { kind: 'result', callId, outcome, text: readableText(content), server: false, at, characters: 0 };
}
