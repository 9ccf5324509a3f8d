import type { CallPart, Message, Part, Place, ReasoningPart, ResultPart, Role } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { isPlaceholder } from '../../model/synthetic.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import {
  ASSISTANT,
  callIdOf,
  inputOf,
  isContent,
  isFunction,
  isPiece,
  isSummary,
  pieceKind,
  shapeOf,
  type Shape,
  type Wire,
} from './items.ts';
import { besideCharacters, callsBeside, hasCallsBeside, NOT_BESIDE, readBeside, weighed } from '../calls-beside.ts';
import { charactersElsewhere, saysElsewhere } from '../elsewhere.ts';
import { readableText, salvageable, salvageMessage, strangerCharacters, unreadOf } from '../salvage.ts';

/** Keys of an item that say where it belongs and not what it holds. */
const BESIDE: ReadonlySet<string> = new Set(['id', 'type', 'callId', 'call_id', 'status', 'role', 'name']);

export function opaqueCharacters(wire: Wire): number {
  let count = 0;
  for (const key of Object.keys(wire)) if (!BESIDE.has(key)) count += charactersOf(wire[key]);
  return count;
}

export function callCharacters(wire: Wire): number {
  return charactersOf(wire['name']) + charactersOf(inputOf(wire));
}

/** What a tool returned: the text where it is one, and else all of it. */
export function outputOf({ output, tools }: Wire): unknown {
  if (isRecord(output) && output['type'] === 'text' && typeof output['text'] === 'string') return output['text'];
  // A shell that said nothing but what we put into its mouth.
  const [only] = Array.isArray(output) && output.length === 1 ? (output as unknown[]) : [];
  if (isRecord(only) && only['stdout'] === '' && isInvented(only['stderr'])) return only['stderr'];
  return output ?? tools;
}

function isInvented(text: unknown): boolean {
  return typeof text === 'string' && isPlaceholder(text);
}

export function outputCharacters(wire: Wire): number {
  return saidCharacters(outputOf(wire));
}

function saidCharacters(output: unknown): number {
  if (!Array.isArray(output)) return charactersOf(output);
  let count = 0;
  for (let i = 0; i < output.length; i += 1) count += pieceCharacters(output[i]);
  return count;
}

export function pieceCharacters(piece: unknown): number {
  return pieceKind(piece) === 'text' ? charactersOf((piece as Wire)['text']) : strangerCharacters(piece);
}

/** The readable texts of reasoning: what is shown of it and, from some models, the reasoning itself. */
function thoughts({ content, rawContent }: Wire): string[] {
  return [content, rawContent].flatMap((list) =>
    (Array.isArray(list) ? (list as unknown[]) : []).flatMap((piece) =>
      isRecord(piece) && typeof piece['text'] === 'string' ? [piece['text']] : [],
    ),
  );
}

export function thoughtCharacters(wire: Wire): number {
  return thoughts(wire).reduce((sum, text) => sum + text.length, 0);
}

/** True for an item that can be read as its type says. */
export function isReadable(wire: Wire, shape: Shape | undefined = shapeOf(wire)): boolean {
  if (shape === undefined) return false;
  if (shape.reads === 'reasoning') return isSummary(wire['content']);
  if (shape === ASSISTANT && hasCallsBeside(wire)) return false;
  return shape.reads !== 'message' || (isContent(wire['content'], shape.role) && !isUnread(wire));
}

/** True for a message with an empty content that says something elsewhere. */
function isUnread(wire: Wire): boolean {
  const { content } = wire;
  return Array.isArray(content) && content.length === 0 && saysElsewhere(wire, 'content');
}

/** True for an answer whose calls stand beside it, as in a chat. */
export function isBeside(wire: Wire): boolean {
  return shapeOf(wire) === ASSISTANT && hasCallsBeside(wire);
}

/** Characters of a known item that cannot be read as its type says. */
export function strayCharacters(wire: Wire): number {
  const read = charactersOf(contentOf(wire)) + (isBeside(wire) ? besideCharacters(callsBeside(wire)) : 0);
  return read === 0 ? charactersElsewhere(wire, 'content') : read;
}

/** The content of a message or of reasoning, which has another name in the API. */
function contentOf({ type, content, summary }: Wire): unknown {
  return type === 'reasoning' ? (content ?? summary) : content;
}

export function read(wire: unknown, index: number): Message {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape === undefined || !isReadable(wire, shape)) {
    const characters = isRecord(wire) && shape !== undefined ? strayCharacters(wire) : salvageable(wire);
    const all: Part = { kind: 'opaque', wire, at: { message: index }, characters };
    return { role: 'unreadable', parts: [all], wire, at: index };
  }
  const { role } = shape;
  const at = { message: index, part: 0 };
  if (shape.reads === 'message') return { role, parts: readContent(wire['content'], index), wire, at: index };
  return { role, parts: [readItem(wire, shape, at)], wire, at: index };
}

function readItem(wire: Wire, { reads, family }: Shape, at: Place): Part {
  switch (reads) {
    case 'call':
      return inFamily(readCall(wire, at), family);
    case 'result':
      return inFamily(readResult(wire, at), family);
    case 'reasoning':
      return readThought(wire, at);
    default:
      return { kind: 'opaque', wire, at, characters: opaqueCharacters(wire) };
  }
}

function inFamily<P extends CallPart | ResultPart>(part: P, family: string | undefined): P {
  return family === undefined ? part : { ...part, family };
}

function readCall(wire: Wire, at: Place): CallPart {
  const named = isFunction(wire) ? wire['name'] : String(wire['type']).replace(/_call$/, '');
  const callId = callIdOf(wire) ?? '';
  const tool = typeof named === 'string' ? named : '';
  return {
    kind: 'call',
    callId,
    tool,
    input: inputOf(wire),
    server: false,
    wire,
    at,
    characters: callCharacters(wire),
  };
}

function readResult(wire: Wire, at: Place): ResultPart {
  const { name: tool, status } = wire;
  const callId = callIdOf(wire) ?? '';
  const outcome = status === 'failed' || status === 'incomplete' ? 'error' : 'ok';
  const said = outputOf(wire);
  const text = readableText(said);
  const characters = saidCharacters(said);
  // To add the name to a copy would cost more than all of the rest.
  return typeof tool === 'string'
    ? { kind: 'result', callId, tool, outcome, text, server: false, wire, at, characters }
    : { kind: 'result', callId, outcome, text, server: false, wire, at, characters };
}

function readThought(wire: Wire, at: Place): ReasoningPart {
  const data = wire['providerData'];
  const sealed = isRecord(data) && Object.keys(data).some((key) => /encrypted/i.test(key));
  return {
    kind: 'reasoning',
    text: thoughts(wire).join('\n'),
    sealed,
    wire,
    at,
    characters: thoughtCharacters(wire),
  };
}

function readContent(content: unknown, index: number): Part[] {
  if (typeof content === 'string') return [textPart(content, content.length, { message: index, part: 0 })];
  return readPieces(content as unknown[], index);
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
  if (only?.kind === 'reasoning') return only.wire ?? { type: 'reasoning', content: [tagged('input_text', only.text)] };
  if (only?.kind === 'opaque' && isItem(only.wire, wire)) return only.wire;
  return writeMessage(message);
}

/** True for a part that is an item by itself and not a piece of a message. */
function isItem(part: unknown, message: unknown): boolean {
  return part === message || (isRecord(message) && shapeOf(message)?.reads === 'opaque');
}

function tagged(type: string, text: string): object {
  return { type, text };
}

function writeCall(part: CallPart): unknown {
  const { wire, callId, tool } = part;
  if (wire !== undefined && part.edited !== true) return wire;
  if (isRecord(wire) && !isFunction(wire)) return withKeys(wire, namedAs(wire, callId));
  const text = typeof part.input === 'string' ? part.input : readableJson(part.input ?? {});
  const fresh = wire === undefined ? { status: 'completed' } : {};
  return withKeys(wire, { type: 'function_call', callId, name: tool, arguments: text, ...fresh });
}

/** Searches may spell the id as the API does. */
function namedAs(wire: unknown, callId: string): Wire {
  const asApi = isRecord(wire) && String(wire['type']).startsWith('tool_search') && typeof wire['callId'] !== 'string';
  return asApi ? { call_id: callId } : { callId };
}

function writeResult(part: ResultPart): unknown {
  const { wire, callId, tool, outcome, text } = part;
  if (wire !== undefined) return part.edited === true ? withKeys(wire, namedAs(wire, callId)) : wire;
  const status = outcome === 'ok' ? 'completed' : 'incomplete';
  return { type: 'function_call_result', name: tool ?? '', callId, status, output: tagged('text', text) };
}

function writeMessage({ role, parts, wire }: Message): unknown {
  const speaks = role === 'tool' || role === 'unreadable' ? 'user' : role;
  const own = isRecord(wire) && shapeOf(wire)?.reads === 'message' && shapeOf(wire)?.role === speaks ? wire : undefined;
  const content = writeContent(parts, speaks, own?.['content']);
  if (own !== undefined) return withKeys(own, { content });
  if (speaks !== 'assistant') return { role: speaks, content };
  return { type: 'message', role: 'assistant', status: 'completed', content };
}

function writeContent(parts: readonly Part[], role: Exclude<Role, 'unreadable'>, before: unknown): unknown {
  const [only] = parts;
  const plain = parts.length === 1 && only?.kind === 'text' && only.wire === undefined;
  if (role === 'system') return parts.map((part) => ('text' in part ? part.text : readableText(part.wire))).join('\n');
  if (plain && role === 'user' && !Array.isArray(before)) return only.text;
  const tag = role === 'assistant' ? 'output_text' : 'input_text';
  return parts.map((part) => {
    if (part.wire !== undefined && part.edited !== true) return part.wire;
    return 'text' in part ? withKeys(part.wire, tagged(tag, part.text) as Wire) : part.wire;
  });
}

/** Content nobody can read becomes text; an output in the spelling of the API is put into that of the framework. */
export function salvage(wire: unknown, index: number): Message | undefined {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (isRecord(wire) && isBeside(wire)) return salvageCalls(wire, index);
  if (isRecord(wire) && shape !== undefined) return salvageContent(wire, shape.role, index);
  if (isRecord(wire) && wire['type'] === 'function_call_output') return salvageOutput(wire, index);
  return salvageMessage(wire, index, {
    readParts: (_role, content) => readPieces(content, index),
    results: 'tool',
  });
}

/** What is read of an answer that only calls. */
const ANSWER_KEYS: ReadonlySet<string> = new Set(['type', 'role', 'content', 'tool_calls', 'function_call']);

/** What an answer says keeps its other keys; the calls beside it become items of their own. */
function salvageCalls(wire: Wire, index: number): Message {
  const calls = readBeside(callsBeside(wire));
  const bare = withKeys(wire, NOT_BESIDE);
  const said = isReadable(bare) ? read(bare, index) : salvageContent(bare, 'assistant', index);
  if (said === undefined) return { role: 'assistant', parts: calls, at: index, ...unreadOf(wire, ANSWER_KEYS) };
  return { ...said, parts: weighed([...said.parts, ...calls], strayCharacters(wire)) };
}

/** What is read of an output in the spelling of the API. */
const OUTPUT_KEYS: ReadonlySet<string> = new Set(['type', 'callId', 'call_id', 'name', 'status', 'output']);

function salvageOutput(wire: Wire, index: number): Message {
  const { wire: _wire, ...result } = readResult(wire, { message: index, part: 0 });
  const parts = [{ ...result, characters: salvageable(wire) }];
  return { role: 'tool', parts, at: index, ...unreadOf(wire, OUTPUT_KEYS) };
}

function salvageContent(wire: Wire, role: Role, index: number): Message | undefined {
  const content = contentOf(wire);
  const whole = isPiece(content) && role !== 'system' && wire['type'] !== 'reasoning';
  const said = whole ? undefined : readableText(content);
  const list = said === undefined ? [content] : said === '' ? [] : [tagged(tagFor(wire, role), said)];
  if (list.length === 0 && wire['type'] !== 'reasoning') return undefined;
  const mended = read(withKeys(wire, { content: role === 'system' ? (said ?? '') : list }), index);
  const [first, ...rest] = mended.parts;
  if (first === undefined || (first.kind === 'text' && first.text === '')) return undefined;
  return { ...mended, parts: [{ ...first, characters: strayCharacters(wire) }, ...rest] };
}

function tagFor(wire: Wire, role: Role): string {
  return role === 'assistant' && wire['type'] !== 'reasoning' ? 'output_text' : 'input_text';
}

/** JSON pointer of a part inside its item; most items are one part. */
export function pointer(wire: unknown, part: number): string {
  const shape = isRecord(wire) ? shapeOf(wire) : undefined;
  if (!isRecord(wire) || shape?.reads !== 'message') return '';
  return Array.isArray(wire['content']) ? `/content/${String(part)}` : '/content';
}
