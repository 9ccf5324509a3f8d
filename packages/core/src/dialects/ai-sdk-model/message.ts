import { idText } from '../../model/call-id.ts';
import type { CallPart, Message, Part, Place, ResultPart, Role } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { charactersOf, isRecord, withKeys } from '../../model/value.ts';
import { ClientCalls, isSealed, outcomeOf, outputCharacters, outputText, shapeOf } from './part.ts';
import { callsBeside, hasCallsBeside, NOT_BESIDE, readBeside, weighed, withParsedInput } from '../calls-beside.ts';
import { saysElsewhere } from '../elsewhere.ts';
import { quotedCalls, readableText, salvageable, salvageMessage, strangerCharacters } from '../salvage.ts';

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

export function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  const content = isRecord(wire) ? wire['content'] : undefined;
  if (role === undefined || !isContent(content, role) || isBeside(wire, role) || isUnread(wire as Wire)) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (typeof content !== 'string') {
    return { role, parts: readParts(role, content as unknown[], index), wire, at: index };
  }
  return { role, parts: [textPart(content, content.length, { message: index, part: 0 })], wire, at: index };
}

function readParts(role: Role, content: readonly unknown[], index: number): Part[] {
  const around = { role, calls: new ClientCalls(content) };
  const parts: Part[] = [];
  for (let i = 0; i < content.length; i += 1) parts.push(readPart(content[i], around, { message: index, part: i }));
  return parts;
}

function readPart(wire: unknown, { role, calls }: { role: Role; calls: ClientCalls }, at: Place): Part {
  const { kind, server, unreadable } = shapeOf(wire, role, calls);
  if (!isRecord(wire) || unreadable) return { kind: 'opaque', wire, at, characters: strangerCharacters(wire) };
  switch (kind) {
    case 'text':
      return { kind, text: wire['text'] as string, wire, at, characters: charactersOf(wire['text']) };
    case 'reasoning':
      return {
        kind,
        text: wire['text'] as string,
        sealed: isSealed(wire),
        wire,
        at,
        characters: charactersOf(wire['text']),
      };
    case 'call':
      return readCall(wire, server, at);
    case 'result':
      return readResult(wire, server, at);
    default:
      return { kind, wire, at, characters: otherCharacters(wire) };
  }
}

/** Decisions on approval are no content; anything else in a part without a kind of its own is. */
export function otherCharacters(wire: Wire): number {
  return String(wire['type']).startsWith('tool-approval-') ? 0 : charactersOf(wire);
}

function nameOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readCall(wire: Wire, server: boolean, at: Place): CallPart {
  const { toolCallId, toolName } = wire;
  const input = inputOf(wire);
  const characters = callCharacters(wire);
  return {
    kind: 'call',
    callId: idText(toolCallId) ?? '',
    tool: nameOf(toolName),
    input,
    server,
    wire,
    at,
    characters,
  };
}

export function callCharacters(wire: Wire): number {
  return charactersOf(wire['toolName']) + charactersOf(inputOf(wire));
}

/** The arguments of a call: earlier versions of the framework wrote `args`. */
function inputOf(wire: Wire): unknown {
  return wire['input'] ?? wire['args'];
}

function readResult(wire: Wire, server: boolean, at: Place): ResultPart {
  return {
    kind: 'result',
    callId: idText(wire['toolCallId']) ?? '',
    tool: nameOf(wire['toolName']),
    outcome: outcomeOf(wire),
    text: outputText(wire),
    server,
    wire,
    at,
    characters: outputCharacters(wire),
  };
}

export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const only = parts[0];
  const plain = isRecord(wire) && typeof wire['content'] === 'string';
  if (plain && parts.length === 1 && only?.kind === 'text' && only.wire === undefined) {
    return withKeys(wire, { role, content: only.text });
  }
  if (role === 'system') return withKeys(wire, { role, content: parts.map(systemText).join('\n') });
  return withKeys(wire, { role, content: parts.map(writePart) });
}

/** A system message of this dialect is one text. */
function systemText(part: Part): string {
  return 'text' in part ? part.text : readableText(part.wire);
}

function writePart(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      return withKeys(part.wire, { type: 'text', text: part.text });
    case 'reasoning':
      return withKeys(part.wire, { type: 'reasoning', text: part.text });
    case 'call':
      return withKeys(part.wire, {
        type: 'tool-call',
        toolCallId: part.callId,
        toolName: part.tool,
        input: part.input,
        ...(isRecord(part.wire) && part.wire['input'] === undefined ? { args: undefined } : {}),
        ...(part.server ? { providerExecuted: true } : {}),
      });
    case 'result':
      return writeResult(part);
    default:
      return part.wire;
  }
}

function writeResult({ wire, callId, tool, outcome, text }: ResultPart): unknown {
  const named = tool === undefined || tool === '' ? {} : { toolName: tool };
  if (wire !== undefined) return withKeys(wire, { type: 'tool-result', toolCallId: callId, ...named });
  const output = { type: outcome === 'ok' ? 'text' : 'error-text', value: text };
  return { type: 'tool-result', toolCallId: callId, ...named, output };
}

/** Content in another form than its role has it becomes text, or the parts it consists of. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const role = isRecord(wire) ? roleOf(wire['role']) : undefined;
  if (!isRecord(wire) || role === undefined || role === 'tool') {
    const found = salvageMessage(wire, index, { readParts, results: 'tool' });
    return found === undefined ? undefined : { ...found, parts: found.parts.map(asObject) };
  }
  const beside = callsBeside(wire);
  const calls = role === 'assistant' ? readBeside(beside).map(withParsedInput) : quotedCalls(beside, index);
  const content = isContent(wire['content'], role) ? wire['content'] : coerce(wire['content'], role);
  const gone = calls.length === 0 ? {} : NOT_BESIDE;
  const found = read(withKeys(wire, { content, ...gone }), index);
  const parts = [...found.parts.filter((part) => part.kind !== 'text' || part.text !== ''), ...calls];
  return parts.length === 0 ? undefined : { ...found, parts: weighed(parts, salvageable(wire)) };
}

/** A call of another format may have its arguments as text. */
function asObject(part: Part): Part {
  return part.kind === 'call' && part.wire === undefined ? withParsedInput(part) : part;
}

function coerce(content: unknown, role: Role): unknown {
  if (role !== 'system' && isRecord(content) && typeof content['type'] === 'string') return [content];
  return readableText(content);
}

export function pointer(wire: unknown, part: number): string {
  return isRecord(wire) && Array.isArray(wire['content']) ? `/content/${String(part)}` : '/content';
}
