import type { Noting } from '../../model/noting.ts';
import type { Message, Part, PartKind } from '../../model/part.ts';
import { isRecord } from '../../model/value.ts';
import { charactersElsewhere, saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { readChat, salvageChat, type Reading } from '../openai-chat/read.ts';
import { ASIDE_KEYS, callsOf, isAside, isPiece } from '../openai-chat/shape.ts';
import { isSaidElsewhere, salvageable, salvageMessage } from '../salvage.ts';

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

/** The same where a piece is not told to be readable; content in place of a list is read as one, too. */
const kindOf: Reading['kindOf'] = (piece): PartKind => (isPiece(piece) ? chunkKind(piece) : 'opaque');

/** Reads one wire message. */
export function read(wire: unknown, index: number, noting?: Noting): Message {
  if (!isRecord(wire) || !isRole(wire['role']) || isSaidElsewhere(wire)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (isSilent(wire['content']) && isUnread(wire)) {
    return unreadMessage(wire, index, charactersElsewhere(wire, 'content'));
  }
  return readChat(wire, index, { noting, kindOf });
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

/** Whatever can be read of a message that is in no shape of this API. */
export function salvage(wire: unknown, index: number): Message | undefined {
  if (isRecord(wire) && isRole(wire['role'])) return salvageChat(wire, index, kindOf);
  const readParts = (_role: unknown, content: readonly unknown[]): readonly Part[] =>
    read({ role: 'user', content: [...content] }, index).parts;
  return salvageMessage(wire, index, { readParts, results: 'tool' });
}
