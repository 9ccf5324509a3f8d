import { idText } from '../../model/call-id.ts';
import type { Message, Part, Place, Role } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { charactersOf, isBlank, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { hasCallsBeside } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { salvageable, strangerCharacters } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** Reads one wire message. */
export function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? wire['role'] : undefined;
  const content = isRecord(wire) ? wire['content'] : undefined;
  const known = role === 'user' || role === 'assistant' || role === 'system';
  const beside = role === 'assistant' && hasCallsBeside(wire as Wire);
  if (!known || beside || (typeof content !== 'string' && !Array.isArray(content))) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (content.length === 0 && saysElsewhere(wire as Wire, 'content')) {
    return unreadMessage(wire as Wire, index, charactersElsewhere(wire as Wire, 'content'));
  }
  if (typeof content !== 'string')
    return { role, parts: readParts(role, content as unknown[], index), wire, at: index };
  const parts = content === '' ? [] : [textPart(content, content.length, { message: index, part: 0 })];
  return { role, parts, wire, at: index };
}

/** True for a message that has a content with nothing in it. */
export function isMute(content: unknown): boolean {
  return content === '' || (Array.isArray(content) && content.length === 0);
}

/** Reads the parts of a message, whoever speaks. */
export function readParts(_role: Role, content: readonly unknown[], index: number): Part[] {
  const parts: Part[] = [];
  // A list may have holes, which are parts that say nothing.
  for (let part = 0; part < content.length; part += 1) parts.push(readPart(content[part], { message: index, part }));
  return parts;
}

function readPart(wire: unknown, at: Place): Part {
  if (!isRecord(wire)) return { kind: 'opaque', wire, at, characters: charactersOf(wire) };
  const type = wire['type'];
  switch (type) {
    case 'text':
      return typeof wire['text'] === 'string'
        ? { kind: 'text', text: wire['text'], wire, at, characters: wire['text'].length }
        : { kind: 'opaque', wire, at, characters: strangerCharacters(wire) };
    case 'thinking':
    case 'redacted_thinking': {
      const text = typeof wire['thinking'] === 'string' ? wire['thinking'] : '';
      const seal = type === 'thinking' ? wire['signature'] : wire['data'];
      const sealed = typeof seal === 'string' && !isBlank(seal);
      return { kind: 'reasoning', text, sealed, wire, at, characters: charactersOf(wire['thinking']) };
    }
    case 'image':
    case 'document':
      return { kind: 'media', wire, at, characters: charactersOf(wire['source']) };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return readCall(wire, at);
    default:
      if (typeof type === 'string' && type.endsWith('tool_result')) return readResult(wire, at);
      return { kind: 'opaque', wire, at, characters: charactersOf(wire) };
  }
}

function readCall(wire: Wire, at: Place): Part {
  const server = wire['type'] !== 'tool_use';
  const tool = typeof wire['name'] === 'string' ? wire['name'] : '';
  const input = wire['input'];
  const characters = charactersOf(input) + (server ? 0 : charactersOf(wire['name']));
  return {
    kind: 'call',
    callId: idText(wire['id']) ?? '',
    tool,
    input,
    server,
    wire,
    at,
    characters,
  };
}

/** The id of the call that a result answers; some clients spell its key in camel case. */
export function resultIdOf({ tool_use_id: id, toolUseId }: Wire): string | undefined {
  return idText(id ?? toolUseId);
}

/** True for a result that names its call under the other spelling alone. */
export function isCamelResult({ type, tool_use_id: id, toolUseId }: Wire): boolean {
  return type === 'tool_result' && (id ?? undefined) === undefined && idText(toolUseId) !== undefined;
}

function readResult(wire: Wire, at: Place): Part {
  const server = wire['type'] !== 'tool_result';
  const content = wire['content'];
  const text =
    typeof content === 'string' ? content : Array.isArray(content) ? joinTexts(content) : readableJson(content);
  const outcome = wire['is_error'] === true ? 'error' : 'ok';
  const characters = server ? charactersOf(wire) : resultCharacters(content);
  return {
    kind: 'result',
    callId: resultIdOf(wire) ?? '',
    outcome,
    text,
    server,
    wire,
    at,
    characters,
  };
}

function resultCharacters(content: unknown): number {
  if (!Array.isArray(content)) return charactersOf(content);
  let count = 0;
  for (const piece of content as unknown[]) {
    count += charactersOf(isRecord(piece) && piece['type'] === 'text' ? piece['text'] : piece);
  }
  return count;
}

function joinTexts(content: readonly unknown[]): string {
  return content
    .map((piece) => (isRecord(piece) && typeof piece['text'] === 'string' ? piece['text'] : readableJson(piece)))
    .join('\n');
}

/** Writes a message; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  const only = parts[0];
  const plain = isRecord(wire) && typeof wire['content'] === 'string';
  if (plain && parts.length === 1 && only?.kind === 'text' && only.wire === undefined) {
    return withKeys(wire, { role, content: only.text });
  }
  return withKeys(wire, { role, content: parts.map(writePart) });
}

function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      // What we write ourselves has the shape of what a parser makes, so that whatever reads it stays compiled.
      return part.wire === undefined
        ? { type: 'text', text: part.text }
        : withKeys(part.wire, { type: 'text', text: part.text });
    case 'call':
      return withKeys(part.wire, { type: 'tool_use', id: part.callId, name: part.tool, input: part.input });
    case 'result':
      if (part.wire !== undefined) {
        const spelled = isRecord(part.wire) && isCamelResult(part.wire) ? { toolUseId: undefined } : {};
        return withKeys(part.wire, { type: 'tool_result', tool_use_id: part.callId, ...spelled });
      }
      return part.outcome === 'ok'
        ? { type: 'tool_result', tool_use_id: part.callId, content: part.text }
        : { type: 'tool_result', tool_use_id: part.callId, content: part.text, is_error: true };
    default:
      return part.wire;
  }
}
