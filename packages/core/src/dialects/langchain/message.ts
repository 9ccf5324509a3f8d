import { CodecMemory } from '../../model/codec-memory.ts';
import { idText } from '../../model/call-id.ts';
import type { CallPart, Message, Part, PartKind, Place, ResultPart, Role } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { charactersOf, isRecord, mend as mendValue, withKeys } from '../../model/value.ts';
import {
  callList,
  echoesOf,
  failedCalls,
  followCalls,
  isCallPiece,
  loneCall,
  NO_CALLS,
  readCall,
  writeCall,
  type ListKey,
} from './calls.ts';
import {
  contentKey,
  fieldsOf,
  fieldsPath,
  isObjectMessage,
  isRemoval,
  type Into,
  newMessage,
  roleOf,
  storedBlocks,
  withFields,
} from './form.ts';
import { weighed } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { readableText, salvageable, salvageMessage, strangerCharacters } from '../salvage.ts';

type Wire = Record<string, unknown>;

const MEDIA: ReadonlySet<unknown> = new Set([
  'image',
  'image_url',
  'audio',
  'input_audio',
  'video',
  'file',
  'document',
  'media',
]);
const NONE: readonly unknown[] = [];
const REASONING: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** True for a piece of content that says what it is; a text has to be one. */
export function isPiece(piece: unknown): boolean {
  if (typeof piece === 'string') return true;
  if (!isRecord(piece)) return false;
  return piece['type'] === 'text' ? typeof piece['text'] === 'string' : typeof piece['type'] === 'string';
}

export function pieceKind(piece: unknown, role: Role): PartKind {
  if (typeof piece === 'string') return 'text';
  if (!isRecord(piece) || !isPiece(piece)) return 'opaque';
  if (piece['type'] === 'text') return 'text';
  if (MEDIA.has(piece['type'])) return 'media';
  if (role !== 'assistant') return 'opaque';
  if (REASONING.has(piece['type'])) return 'reasoning';
  return isCallPiece(piece) ? 'call' : 'opaque';
}

export function pieceText(piece: unknown): string {
  if (typeof piece === 'string') return piece;
  return isRecord(piece) && typeof piece['text'] === 'string' ? piece['text'] : '';
}

/** True for content that messages of the role have; an answer may come without any. */
export function isContent(content: unknown, role: Role): boolean {
  if (typeof content === 'string') return true;
  if (role === 'tool') return Array.isArray(content) && content.length > 0 && content.every(isPiece);
  return Array.isArray(content) || (role === 'assistant' && (content ?? undefined) === undefined);
}

/** True for content with nothing in it. */
export function isMute(content: unknown): boolean {
  if (content === undefined || content === null || content === '') return true;
  return Array.isArray(content) && content.length === 0;
}

/** Characters of a message of a known role that cannot be read as it is. */
export function contentCharacters(fields: Wire, role: Role): number {
  const { content } = fields;
  if (role === 'tool') return resultCharacters(content);
  const read = charactersOf(role === 'assistant' ? (loneCall(fields) ?? content) : content);
  return read === 0 ? charactersElsewhere(fields, 'content') : read;
}

/** Characters of a message in no known shape. */
export function strangeCharacters(wire: unknown): number {
  return isRemoval(wire) ? 0 : salvageable(wire);
}

export function resultCharacters(content: unknown): number {
  if (!Array.isArray(content)) return charactersOf(content);
  return (content as unknown[]).reduce((sum: number, piece) => sum + pieceCharacters(piece, 'tool'), 0);
}

export function pieceCharacters(piece: unknown, role: Role): number {
  const kind = pieceKind(piece, role);
  if (kind === 'text') return pieceText(piece).length;
  return kind === 'reasoning' ? charactersOf(thoughtIn(piece as Wire)) : strangerCharacters(piece);
}

export function read(wire: unknown, index: number): Message {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  const fields = isRecord(wire) ? fieldsOf(wire) : undefined;
  if (!isRecord(wire) || role === undefined || fields === undefined || !isContent(fields['content'], role)) {
    const known = role !== undefined && fields !== undefined;
    const characters = known ? contentCharacters(fields, role) : strangeCharacters(wire);
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  if (storedBlocks(wire) !== undefined) return unreadMessage(wire, index, charactersElsewhere(fields, 'content'));
  if (role === 'tool') return { role, parts: [readResult(wire, fields, index)], wire, at: index };
  const parts = readParts(fields, role, index);
  if (parts.length === 0 && fields['content'] !== '' && isMute(fields['content']) && saysElsewhere(fields, 'content')) {
    return unreadMessage(wire, index, charactersElsewhere(fields, 'content'));
  }
  const failed = role === 'assistant' ? failedCalls(fields) : NONE;
  return failed.length === 0
    ? { role, parts, wire, at: index }
    : { role, parts, wire, at: index, failed: failed.map(readFailed) };
}

/** A call that is left out weighs nothing, also when it comes back. */
function readFailed(entry: unknown): CallPart {
  const { at: _at, ...call } = readCall(entry, { message: -1 });
  return { ...call, characters: 0, edited: true };
}

function readParts(fields: Wire, role: Role, index: number): Part[] {
  const { content } = fields;
  const calls = role === 'assistant' ? callList(fields) : NO_CALLS;
  const parts: Part[] = [];
  if (typeof content === 'string') {
    if (content !== '') parts.push(textPart(content, content.length, { message: index, part: 0 }));
  } else if (Array.isArray(content)) {
    const isEcho = echoesOf(calls);
    for (const piece of content as unknown[]) {
      if (!isEcho(piece)) parts.push(readPiece(piece, role, { message: index, part: parts.length }));
    }
  }
  for (const entry of calls.entries) parts.push(readCall(entry, { message: index, part: parts.length }));
  return parts;
}

function readPiece(wire: unknown, role: Role, at: Place): Part {
  const kind = pieceKind(wire, role);
  const characters = pieceCharacters(wire, role);
  switch (kind) {
    case 'text':
      return { kind, text: pieceText(wire), wire, at, characters };
    case 'reasoning':
      return {
        kind,
        text: readableText(thoughtIn(wire as Wire)),
        sealed: isSealed(wire as Wire),
        wire,
        at,
        characters,
      };
    case 'call':
      return readCall(wire, at);
    default:
      return { kind: kind === 'media' ? kind : 'opaque', wire, at, characters };
  }
}

/** What can be read of a thought. */
export function thoughtIn(piece: Wire): unknown {
  return piece['thinking'] ?? piece['reasoning'] ?? piece['text'] ?? piece['summary'];
}

function isSealed(piece: Wire): boolean {
  return [piece['signature'], piece['data'], piece['encrypted_content']].some((seal) => typeof seal === 'string');
}

function readResult(wire: Wire, fields: Wire, index: number): ResultPart {
  const { tool_call_id: id, content, name: tool, status } = fields;
  const callId = idText(id) ?? '';
  const outcome = status === 'error' ? 'error' : 'ok';
  const text = readableText(content);
  const at = { message: index, part: 0 };
  const characters = resultCharacters(content);
  // To add the name to a copy would cost more than all of the rest.
  return typeof tool === 'string'
    ? { kind: 'result', callId, tool, outcome, text, server: false, wire, at, characters }
    : { kind: 'result', callId, outcome, text, server: false, wire, at, characters };
}

export function write(message: Message, list?: readonly unknown[], memory?: CodecMemory): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const result = parts.find((part) => part.kind === 'result');
  if (role === 'tool' && result !== undefined) return writeResult(result, { list, memory });
  if (!isRecord(wire) || roleOf(wire) !== role) {
    return newMessage(role === 'tool' ? 'user' : role, newFields(parts), { list, memory });
  }
  const before = read(wire, message.at).parts;
  const same = before.length === parts.length && parts.every((part, i) => isSame(part, before[i]));
  return same ? wire : withFields(wire, changedFields(parts, fieldsOf(wire)));
}

function isSame(part: Part, before: Part | undefined): boolean {
  if (before === undefined || part.edited === true || part.kind !== before.kind) return false;
  if (part.wire !== undefined || before.wire !== undefined) return part.wire === before.wire;
  return 'text' in part && 'text' in before && part.text === before.text;
}

function isCall(part: Part): part is CallPart {
  return part.kind === 'call';
}

function newFields(parts: readonly Part[]): Wire {
  const calls = parts.filter(isCall).map(writeCall);
  const content = writeContent(parts.filter((part) => !isCall(part)));
  return calls.length === 0 ? { content } : { content, tool_calls: calls };
}

/** One text stands by itself; anything else is a list. */
function writeContent(parts: readonly Part[]): unknown {
  if (parts.length === 0) return '';
  const [only] = parts;
  const plain = parts.length === 1 && only?.kind === 'text' && only.wire === undefined;
  return plain ? only.text : parts.map(writePiece);
}

function writePiece(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  return 'text' in part ? withKeys(part.wire, { type: 'text', text: part.text }) : part.wire;
}

/** The fields that an edited message changes: its content, its calls, and every copy of them. */
function changedFields(parts: readonly Part[], fields: Wire): Wire {
  const listed = callList(fields);
  const pieces = Array.isArray(fields['content']) ? (fields['content'] as unknown[]) : [];
  const own = new Set(pieces);
  // A call of a message that was joined with this one keeps the form it had there.
  const inContent = ({ wire }: CallPart): boolean => isRecord(wire) && (own.has(wire) || wire['type'] === 'tool_use');
  const calls = parts.filter(isCall);
  const ours = calls.filter((part) => !inContent(part));
  const follow = followCalls(ours);
  const echoes = pieces.filter(echoesOf(listed)).flatMap(follow);
  const said = parts.filter((part) => !isCall(part));
  const tail = [...calls.filter(inContent).map(writeCall), ...echoes];
  // Copies of calls alone would be a content without a piece for every converter that leaves them out.
  const hollow = said.length === 0 && tail.length === echoes.length;
  const content = tail.length === 0 || hollow ? writeContent(said) : [...said.map(writePiece), ...tail];
  return { content, ...changedLists(ours, fields, listed.key) };
}

function changedLists(calls: readonly CallPart[], fields: Wire, key: ListKey): Wire {
  const written = calls.map(writeCall);
  const extra = fields['additional_kwargs'];
  const raw = isRecord(extra) && Array.isArray(extra['tool_calls']) ? (extra['tool_calls'] as unknown[]) : undefined;
  const had = Array.isArray(fields['tool_calls']);
  if (key === 'invalid_tool_calls') return { tool_calls: written, invalid_tool_calls: [] };
  if (key === 'additional_kwargs') {
    return { additional_kwargs: withKeys(extra, { tool_calls: written.length === 0 ? undefined : written }) };
  }
  const copies = raw === undefined ? [] : raw.flatMap(followCalls(calls));
  const failed = failedCalls(fields);
  const restored = new Set(failed.length === 0 ? [] : calls.map(({ wire }) => wire));
  const left = failed.filter((entry) => !restored.has(entry));
  return {
    ...(left.length === failed.length ? {} : { invalid_tool_calls: left }),
    ...(had || written.length > 0 ? { tool_calls: written } : {}),
    ...(raw === undefined
      ? {}
      : { additional_kwargs: withKeys(extra, { tool_calls: copies.length === 0 ? undefined : copies }) }),
  };
}

function writeResult(part: ResultPart, into: Into): unknown {
  const { wire, callId, tool, text, outcome } = part;
  if (isRecord(wire)) return part.edited === true ? withFields(wire, { tool_call_id: callId }) : wire;
  const named = tool === undefined || tool === '' ? {} : { name: tool };
  const failed = outcome === 'ok' ? {} : { status: 'error' };
  return newMessage('tool', { content: text, tool_call_id: callId, ...named, ...failed }, into);
}

/** Content nobody can read becomes text; the calls beside it, and all other fields, stay as they are. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const role = isRecord(wire) ? roleOf(wire) : undefined;
  if (isRemoval(wire)) return undefined;
  if (!isRecord(wire) || role === undefined) {
    return salvageMessage(wire, index, {
      readParts: (own, content) => readPieces(content, own, index),
      results: 'tool',
    });
  }
  const fields = fieldsOf(wire);
  const { content } = fields;
  const blocks = storedBlocks(wire);
  if (blocks !== undefined) {
    const found = read(withFields(wire, { content: readableContent(blocks) }), index);
    return { ...found, parts: weighed(found.parts, charactersElsewhere(fields, 'content')) };
  }
  const said = role === 'assistant' ? (loneCall(fields) ?? content) : content;
  const found = read(withFields(wire, { content: readableContent(said) }), index);
  const [first, ...rest] = found.parts;
  if (first === undefined) return undefined;
  const characters = contentCharacters(fields, role);
  return { ...found, parts: [{ ...first, characters }, ...rest] };
}

function readPieces(content: readonly unknown[], role: Role, index: number): Part[] {
  return Array.from(content, (piece, part) => readPiece(piece, role, { message: index, part }));
}

function readableContent(content: unknown): unknown {
  if (Array.isArray(content) && content.length > 0) {
    return Array.from(content as unknown[], (piece) =>
      isPiece(piece) ? piece : { type: 'text', text: readableText([piece]) },
    );
  }
  return isRecord(content) && isPiece(content) ? [content] : readableText(content);
}

/** A copy that can be sent, still of its class: only what it says is replaced. */
export function mend(wire: unknown): unknown {
  if (!isRecord(wire) || !isObjectMessage(wire)) return mendValue(wire);
  const own = Object.fromEntries(Object.keys(wire).map((key) => [key, mendValue(wire[key])]));
  return withKeys(wire, own);
}

/** JSON pointer of a part inside its message; a result is its message. */
export function pointer(wire: unknown, part: number, memory: CodecMemory = new CodecMemory()): string {
  return isRecord(wire) ? (memory.once(wire, pointersIn)[part] ?? '') : '';
}

function pointersIn(wire: Wire): readonly string[] {
  const role = roleOf(wire);
  if (role === 'tool' || role === undefined) return [];
  const path = fieldsPath(wire);
  return placesIn(fieldsOf(wire), role, contentKey(wire)).map((place) => path + place);
}

/** Where each part stands: the content without copies of calls, then the calls. */
export function placesIn(fields: Wire, role: Role, key: string): readonly string[] {
  const { content } = fields;
  const calls = role === 'assistant' ? callList(fields) : NO_CALLS;
  const isEcho = echoesOf(calls);
  const said = typeof content === 'string' && content !== '' ? [`/${key}`] : [];
  const pieces = Array.isArray(content) ? (content as unknown[]) : [];
  const shown = pieces.flatMap((piece, i) => (isEcho(piece) ? [] : [`/${key}/${String(i)}`]));
  const list = calls.key === 'additional_kwargs' ? '/additional_kwargs/tool_calls' : `/${calls.key}`;
  return [...said, ...shown, ...calls.entries.map((_, i) => `${list}/${String(i)}`)];
}
