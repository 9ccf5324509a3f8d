import type { CallPart, Message, Part } from '../../model/part.ts';
import { isRecord, readableJson, withKeys } from '../../model/value.ts';
import { charactersElsewhere, saysElsewhere, unreadMessage } from '../elsewhere.ts';
import {
  ASIDE_KEYS,
  callsOf,
  isAside,
  read as readChat,
  salvage as salvageChat,
  write as writeChat,
} from '../openai-chat/message.ts';
import { isSaidElsewhere, readableText, salvageable, salvageMessage } from '../salvage.ts';

type Wire = Record<string, unknown>;

const MEDIA: ReadonlySet<unknown> = new Set(['image_url', 'document_url', 'input_audio', 'file']);

/** The roles of this API; its relatives have more. */
export function isRole(role: unknown): role is 'system' | 'user' | 'assistant' | 'tool' {
  return role === 'user' || role === 'assistant' || role === 'tool' || role === 'system';
}

/** What a piece of content is beyond text. */
export function chunkKind(piece: Wire): 'text' | 'reasoning' | 'media' | 'opaque' {
  const type = piece['type'];
  if (type === 'text') return 'text';
  if (type === 'thinking') return 'reasoning';
  return MEDIA.has(type) ? 'media' : 'opaque';
}

/** Reads one wire message. */
export function read(wire: unknown, index: number): Message {
  if (!isRecord(wire) || !isRole(wire['role']) || isSaidElsewhere(wire)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (isSilent(wire['content']) && isUnread(wire)) {
    return unreadMessage(wire, index, charactersElsewhere(wire, 'content'));
  }
  return withChunks(readChat(wire, index));
}

export function isSilent(content: unknown): boolean {
  return (
    content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)
  );
}

/** True for a message without content that says something which this API does not read. */
export function isUnread(wire: Wire): boolean {
  const { role, content } = wire;
  const calls = callsOf(wire);
  if (role !== 'assistant' && content === '') return false;
  if (role === 'tool' || (role === 'assistant' && calls !== undefined && calls !== null && !isNone(calls)))
    return false;
  if (role === 'assistant' && ASIDE_KEYS.some((key) => isAside(wire, key))) return false;
  return saysElsewhere(wire, 'content');
}

function isNone(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0;
}

function withChunks(message: Message): Message {
  return { ...message, parts: message.parts.map(readChunk) };
}

/** The chunks that this API alone has. */
function readChunk(part: Part): Part {
  const { wire } = part;
  if (part.kind !== 'opaque' || !isRecord(wire) || typeof wire['type'] !== 'string') return part;
  const kind = chunkKind(wire);
  if (kind === 'media') return { ...part, kind };
  return kind === 'reasoning' ? { ...part, kind, text: readableText(wire['thinking']), sealed: false } : part;
}

/** Writes a message; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  return writeChat({ ...message, parts: message.parts.map(withFunction) });
}

/** Every call of this API is a function, whatever it came as. */
function withFunction(part: Part): Part {
  if (part.kind !== 'call' || (part.wire !== undefined && part.edited !== true)) return part;
  const { edited: _edited, ...rest } = part;
  return { ...rest, wire: writeCall(part) };
}

function writeCall({ wire, callId, tool, input }: CallPart): Wire {
  const call: Wire = isRecord(wire) ? wire : {};
  const text = typeof input === 'string' || isRecord(input) ? input : readableJson(input ?? {});
  const callee = withKeys(call['function'], { name: tool, arguments: wire === undefined ? readableJson(text) : text });
  return withKeys(call, { id: callId, type: 'function', function: callee, custom: undefined });
}

/** Whatever can be read of a message that is in no shape of this API. */
export function salvage(wire: unknown, index: number): Message | undefined {
  if (isRecord(wire) && isRole(wire['role'])) {
    const mended = salvageChat(wire, index);
    return mended && withChunks(mended);
  }
  const readParts = (_role: unknown, content: readonly unknown[]): readonly Part[] =>
    read({ role: 'user', content: [...content] }, index).parts;
  return salvageMessage(wire, index, { readParts, results: 'tool' });
}
