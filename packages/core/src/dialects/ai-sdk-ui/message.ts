import { CodecMemory } from '../../model/codec-memory.ts';
import { fingerprint } from '../../model/call-id.ts';
import type { Message, Part, ResultPart, Role } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { readInto, writeTool } from './part.ts';
import { isLegacy, legacyCharacters, upgraded } from './legacy.ts';
import { weighed } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere } from '../elsewhere.ts';
import { readableText, salvageable, salvageMessage } from '../salvage.ts';

type Wire = Record<string, unknown>;

export function roleOf(role: unknown): 'system' | 'user' | 'assistant' | undefined {
  return role === 'user' || role === 'assistant' || role === 'system' ? role : undefined;
}

export function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined || !isRead(wire, role)) {
    const characters = isRecord(wire) && role !== undefined ? contentCharacters(wire) : salvageable(wire);
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  return { role, parts: readParts(role, wire['parts'] as unknown[], index), wire, at: index };
}

function isRead(wire: Wire, role: Role): boolean {
  const { parts } = wire;
  return Array.isArray(parts) && !isOutdated(wire, role) && !isUnread(wire, role);
}

/** True for a message without a part that says something elsewhere; an answer may be empty. */
export function isUnread(wire: Wire, role: Role): boolean {
  const { parts } = wire;
  return role !== 'assistant' && Array.isArray(parts) && parts.length === 0 && saysElsewhere(wire, 'parts');
}

function readParts(role: Role, own: readonly unknown[], index: number): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < own.length; i += 1) readInto(parts, own[i], { role, message: index });
  return parts;
}

export function contentOf(wire: Wire): unknown {
  return wire['parts'] ?? wire['content'];
}

/** True for an answer with calls where this version does not look for them, or parts in a form it does not have. */
export function isOutdated(wire: Wire, role: Role): boolean {
  return role === 'assistant' && isLegacy(wire);
}

/** Characters of a message whose role is known and whose parts are no list, or not all that it says. */
export function contentCharacters(wire: Wire): number {
  const read = charactersOf(contentOf(wire)) + (wire['role'] === 'assistant' ? legacyCharacters(wire) : 0);
  return read === 0 ? charactersElsewhere(wire, 'parts') : read;
}

export function write(message: Message): unknown {
  const { role, wire } = message;
  if (role === 'unreadable') return wire;
  const parts = writeParts(message.parts);
  // There are no messages of results here; a result without its call is an answer that only knows what came of it.
  if (wire !== undefined) return withKeys(wire, { role, parts });
  return { id: newId(message, parts), role: role === 'tool' ? 'assistant' : role, parts };
}

/** Every message of the interface has an id; one of ours is made from what it says and where. */
function newId({ at }: Message, parts: readonly unknown[]): string {
  return `msg_${fingerprint(`${String(at)} ${readableJson(parts)}`)}`;
}

function writeParts(parts: readonly Part[]): unknown[] {
  const written: unknown[] = [];
  for (let i = 0; i < parts.length; i += 1) {
    const part = parts[i];
    const next = parts[i + 1];
    if (part?.kind === 'call') {
      const result = next?.kind === 'result' ? next : undefined;
      if (result !== undefined) i += 1;
      written.push(writeTool(part, result));
    } else if (part !== undefined) written.push(writePart(part));
  }
  return written;
}

function writePart(part: Part): unknown {
  switch (part.kind) {
    case 'text':
      return part.wire === undefined || part.edited === true
        ? withKeys(part.wire, { type: 'text', text: part.text })
        : part.wire;
    case 'reasoning':
      return part.wire ?? { type: 'reasoning', text: part.text };
    case 'result':
      return writeLoneResult(part);
    default:
      return part.wire;
  }
}

function writeLoneResult(part: ResultPart): unknown {
  const { callId, tool = '', server } = part;
  const wire = { type: 'dynamic-tool', toolName: tool, toolCallId: callId, state: 'input-available', input: {} };
  return writeTool({ kind: 'call', callId, tool, input: {}, server, wire, characters: 0 }, part);
}

/** A message of a known role keeps its other keys; anything else is read as messages of any shape are. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (isRecord(wire) && role !== undefined) {
    const parts = coerce(contentOf(wire));
    const found = read(isOutdated(wire, role) ? upgraded(wire, parts) : withKeys(wire, { parts }), index);
    return found.parts.length === 0 ? undefined : { ...found, parts: weighed(found.parts, contentCharacters(wire)) };
  }
  const found = salvageMessage(wire, index, { readParts, results: 'tool' });
  return found?.role === 'tool' ? { ...found, role: 'user', parts: found.parts.map(quote) } : found;
}

function coerce(content: unknown): unknown[] {
  if (Array.isArray(content)) return content as unknown[];
  if (isRecord(content) && typeof content['type'] === 'string') return [content];
  const text = readableText(content);
  return text === '' || text === '{}' ? [] : [{ type: 'text', text }];
}

/** What a tool returned, outside of any answer, is told by the user. */
function quote(part: Part): Part {
  const text = 'text' in part ? part.text : '';
  return textPart(`${TEXTS.orphan} ${text}`, part.characters, part.at);
}

/** By part: the place in its message that it was read from. */
function placesOf(wire: object): readonly number[] {
  if (!isRecord(wire) || !Array.isArray(wire['parts'])) return [];
  const role = roleOf(wire['role']) ?? 'user';
  return (wire['parts'] as unknown[]).flatMap((each, index) => readParts(role, [each], 0).map(() => index));
}

/** The part of the message that a part was read from. */
export function pointer(wire: unknown, part: number, memory: CodecMemory = new CodecMemory()): string {
  // Each of thousands is found at once.
  const places = isRecord(wire) ? memory.once(wire, placesOf) : [];
  return `/parts/${String(places[part] ?? 0)}`;
}
