import type { CallPart, Message, Part, Place, ReasoningPart, ResultPart } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { outcomeOfText } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import {
  ASSISTANT,
  callIdOf,
  inputOf,
  isNamed,
  isPiece,
  isWritten,
  outputOf,
  pieceKind,
  shapeOf,
  type Wire,
} from './items.ts';
import { callsBeside, hasCallsBeside, NOT_BESIDE, readBeside, weighed } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere, unreadMessage } from '../elsewhere.ts';
import { readableText, salvageable, salvageMessage, strangerCharacters, unreadOf } from '../salvage.ts';

/** Characters of content in one piece: its text, or all of it where it is something else. */
export function pieceCharacters(piece: unknown): number {
  return pieceKind(piece) === 'text' ? charactersOf((piece as Wire)['text']) : strangerCharacters(piece);
}

export function callCharacters(wire: Wire): number {
  return charactersOf(wire['name']) + charactersOf(inputOf(wire));
}

export function outputCharacters(wire: Wire): number {
  const output = outputOf(wire);
  if (!Array.isArray(output) || !isWritten(wire)) return charactersOf(output);
  let count = 0;
  for (const piece of output as unknown[]) count += pieceCharacters(piece);
  return count;
}

/** The readable texts of reasoning: its summary and, from some models, the reasoning itself. */
function reasoningTexts({ summary, content }: Wire): string[] {
  const lists = [summary, content].flatMap((list): unknown[] => (Array.isArray(list) ? Array.from(list) : [list]));
  return lists.flatMap((piece) => textOf(piece) ?? []);
}

/** Keys of an entry that say where it belongs and not what it holds. */
const BESIDE: ReadonlySet<string> = new Set(['id', 'type', 'call_id', 'status', 'role', 'phase']);

export function opaqueCharacters(wire: Wire): number {
  let count = 0;
  for (const key of Object.keys(wire)) if (!BESIDE.has(key)) count += charactersOf(wire[key]);
  return count;
}

export function reasoningCharacters({ summary, content }: Wire): number {
  return textsSize(summary) + textsSize(content);
}

function textsSize(list: unknown): number {
  if (!Array.isArray(list)) return textOf(list)?.length ?? 0;
  let count = 0;
  for (let i = 0; i < list.length; i += 1) count += textOf(list[i])?.length ?? 0;
  return count;
}

/** The text of a piece of reasoning, however it was stored. */
function textOf(piece: unknown): string | undefined {
  const text = isRecord(piece) ? piece['text'] : piece;
  return typeof text === 'string' ? text : undefined;
}

export function read(wire: unknown, index: number): Message {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape === undefined || (shape === ASSISTANT && hasCallsBeside(wire))) {
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters: salvageable(wire) };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  const { role, reads } = shape;
  if (reads === 'message' && isMute(wire) && saysElsewhere(wire, 'content')) {
    return unreadMessage(wire, index, charactersElsewhere(wire, 'content'));
  }
  if (reads === 'message') return { role, parts: readContent(wire['content'], index), wire, at: index };
  const at = { message: index, part: 0 };
  return { role, parts: [readItem(wire, reads, at)], wire, at: index };
}

/** True for a message that lost its content. */
export function isMute({ content }: Wire): boolean {
  return content === undefined || content === null;
}

function readItem(wire: Wire, reads: 'call' | 'result' | 'reasoning' | 'opaque', at: Place): Part {
  switch (reads) {
    case 'call':
      return readCall(wire, at);
    case 'result':
      return readResult(wire, at);
    case 'reasoning':
      return readReasoning(wire, at);
    case 'opaque':
      return { kind: 'opaque', wire, at, characters: opaqueCharacters(wire) };
  }
}

function readCall(wire: Wire, at: Place): CallPart {
  const tool = typeof wire['name'] === 'string' ? wire['name'] : '';
  const callId = callIdOf(wire) ?? '';
  const input = inputOf(wire);
  const characters = callCharacters(wire);
  return { kind: 'call', callId, tool, input, server: false, ...familyOf(wire), wire, at, characters };
}

function readResult(wire: Wire, at: Place): ResultPart {
  const callId = callIdOf(wire) ?? '';
  const text = readableText(outputOf(wire));
  const characters = outputCharacters(wire);
  const outcome = outcomeOfText(text);
  return { kind: 'result', callId, outcome, text, server: false, ...familyOf(wire), wire, at, characters };
}

function familyOf(wire: Wire): { family?: string } {
  const family = shapeOf(wire)?.family;
  return family === undefined ? {} : { family };
}

function readReasoning(wire: Wire, at: Place): ReasoningPart {
  const seal = wire['encrypted_content'];
  const text = reasoningTexts(wire).join('\n');
  const sealed = typeof seal === 'string' && seal !== '';
  return { kind: 'reasoning', text, sealed, wire, at, characters: reasoningCharacters(wire) };
}

function readContent(content: unknown, index: number): Part[] {
  if (content === undefined || content === null) return [];
  if (Array.isArray(content)) return readPieces(content as unknown[], index);
  const at = { message: index, part: 0 };
  if (typeof content === 'string') return [textPart(content, content.length, at)];
  return [{ kind: 'opaque', wire: content, at, characters: charactersOf(content) }];
}

function readPieces(content: readonly unknown[], index: number): Part[] {
  return Array.from(content, (wire, part) => {
    const at = { message: index, part };
    const kind = pieceKind(wire);
    const characters = pieceCharacters(wire);
    if (kind === 'text') return { kind, text: (wire as { text: string }).text, wire, at, characters };
    return { kind: kind === 'media' ? kind : 'opaque', wire, at, characters };
  });
}

export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const [only] = parts;
  if (only?.kind === 'call') return writeCall(only);
  if (only?.kind === 'result') return writeResult(only);
  if (only !== undefined && isWhole(only, wire)) return only.wire;
  return writeMessage(message);
}

/** True for a part that is an entry of the list by itself and not a piece of one. */
function isWhole(part: Part, wire: unknown): boolean {
  if (part.kind === 'reasoning') return true;
  if (part.kind !== 'opaque' || !isRecord(part.wire)) return false;
  return part.wire === wire || (isRecord(wire) && shapeOf(wire)?.reads === 'opaque');
}

function writeCall(part: CallPart): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  if (isRecord(part.wire) && !isNamed(part.wire)) return withKeys(part.wire, { call_id: part.callId });
  const input = typeof part.input === 'string' ? part.input : readableJson(part.input ?? {});
  const custom = isRecord(part.wire) && part.wire['type'] === 'custom_tool_call';
  const type = custom ? 'custom_tool_call' : 'function_call';
  return withKeys(part.wire, { type, call_id: part.callId, name: part.tool, [custom ? 'input' : 'arguments']: input });
}

function writeResult(part: ResultPart): unknown {
  if (part.wire === undefined) return { type: 'function_call_output', call_id: part.callId, output: part.text };
  return part.edited === true ? withKeys(part.wire, { call_id: part.callId }) : part.wire;
}

function writeMessage({ role, parts, wire }: Message): unknown {
  const own = isRecord(wire) && shapeOf(wire)?.reads === 'message' ? wire : undefined;
  const before = own?.['content'];
  const content = writeContent(parts, before, role === 'assistant' ? 'output_text' : 'input_text');
  const speaks = role === 'tool' ? 'user' : role;
  if (own === undefined || shapeOf(own)?.role !== speaks) return { role: speaks, content };
  return isSame(before, content) ? own : withKeys(own, { content });
}

function isSame(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after;
  return before.length === after.length && before.every((each, index) => each === after[index]);
}

function writeContent(parts: readonly Part[], before: unknown, tag: string): unknown {
  const [only] = parts;
  if (only === undefined) return Array.isArray(before) ? [] : before;
  if (parts.length === 1 && !Array.isArray(before)) {
    if (only.kind === 'text' && only.wire === undefined) return only.text;
    if (only.wire !== undefined && only.wire === before) return before;
  }
  return parts.map((part) => {
    if (part.wire !== undefined && part.edited !== true) return part.wire;
    return 'text' in part ? withKeys(part.wire, { type: tag, text: part.text }) : part.wire;
  });
}

/** Content nobody can read becomes text; all other keys stay as they are. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (isRecord(wire) && shape === ASSISTANT && hasCallsBeside(wire)) return salvageCalls(wire, index);
  if (isRecord(wire) && shape?.reads === 'message') return salvageContent(wire, index);
  const readParts = (_role: unknown, content: readonly unknown[]): Part[] => readPieces(content, index);
  return salvageMessage(wire, index, { readParts, results: 'tool' });
}

/** What is read of an answer that only calls. */
const ANSWER_KEYS: ReadonlySet<string> = new Set(['type', 'role', 'content', 'tool_calls', 'function_call']);

/** What an answer says keeps its other keys; the calls beside it become entries of their own. */
function salvageCalls(wire: Wire, index: number): Message {
  const { content } = wire;
  const bare = withKeys(wire, NOT_BESIDE);
  const empty = content === undefined || content === null || content === '';
  const calls = readBeside(callsBeside(wire));
  if (empty) return { role: 'assistant', parts: calls, at: index, ...unreadOf(wire, ANSWER_KEYS) };
  const readable = typeof content === 'string' || Array.isArray(content);
  const said = readable ? read(bare, index) : salvageContent(bare, index);
  return { ...said, parts: weighed([...said.parts, ...calls], salvageable(wire)) };
}

function salvageContent(wire: Wire, index: number): Message {
  const content = wire['content'];
  const mended = read(withKeys(wire, { content: isPiece(content) ? [content] : readableText(content) }), index);
  return { ...mended, parts: mended.parts.map((part) => ({ ...part, characters: charactersOf(content) })) };
}

/** JSON pointer of a part inside its entry; most entries are one part. */
export function pointer(wire: unknown, part: number): string {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape?.reads !== 'message') return '';
  return Array.isArray(wire['content']) ? `/content/${String(part)}` : '/content';
}
