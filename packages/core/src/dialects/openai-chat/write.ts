import type { CallPart, Message, Part, ResultPart } from '../../model/part.ts';
import { textPart } from '../../model/part.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { maybe } from '../conversion/keys.ts';
import { divide } from '../conversion/pieces.ts';
import { Aside, ASIDE_KEYS, calleeKey, callsOf, isAside, isCamelAnswer, roleOf } from './shape.ts';

type Wire = Record<string, unknown>;

/** Writes a message; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  const { role, parts, wire } = message;
  if (role === 'unreadable') return wire;
  const result = parts.find((part) => part.kind === 'result');
  if (role === 'tool' && result !== undefined) return writeResult(result, message.name);
  const content: Part[] = [];
  const calls: unknown[] = [];
  const changes: Wire = {
    role: writeRole(message),
    ...maybe('name', message.name),
    content: undefined,
    ...readKeys(wire),
  };
  for (const part of parts) {
    if (part.kind === 'call') calls.push(writeCall(part));
    else if (part.wire instanceof Aside) writeAside(part.wire, changes, content);
    else content.push(part);
  }
  if (calls.length > 0) changes[callsKey(wire, calls)] = calls;
  const empty = content.length === 0;
  if (empty && hadNoContent(wire)) delete changes['content'];
  else if (empty)
    changes['content'] = wire === undefined && calls.length === 0 && changes['refusal'] === undefined ? '' : null;
  else changes['content'] = writeContent(content, isRecord(wire) ? wire['content'] : undefined);
  const same = isRecord(wire) && Object.keys(changes).every((key) => isSame(wire[key], changes[key]));
  return same ? wire : withKeys(wire, changes);
}

/** Refusals of messages that were joined are one; of anything else the last stays where it is read, behind the rest. */
function writeAside({ key, value }: Aside, changes: Wire, content: Part[]): void {
  const before = changes[key];
  if (typeof before === 'string' && before !== '') {
    changes[key] = value === '' ? before : `${before}\n\n${String(value)}`;
    return;
  }
  if (isRecord(before)) content.push(textPart(readableJson(before), charactersOf(before)));
  changes[key] = value;
}

/** Keys that were read as parts: they go unless a part brings them back. */
function readKeys(wire: unknown): Wire {
  const gone: Wire = {};
  if (!isRecord(wire) || wire['role'] !== 'assistant') return gone;
  for (const key of ASIDE_KEYS) if (isAside(wire, key)) gone[key] = undefined;
  const calls = callsOf(wire);
  if (Array.isArray(calls) && calls.length > 0) gone[isCamelAnswer(wire) ? 'toolCalls' : 'tool_calls'] = undefined;
  return gone;
}

/** Where calls are written: where they came from, until one of them has to be another. */
function callsKey(wire: unknown, calls: readonly unknown[]): 'tool_calls' | 'toolCalls' {
  if (!isRecord(wire) || !isCamelAnswer(wire)) return 'tool_calls';
  const came = new Set(wire['toolCalls'] as unknown[]);
  return calls.every((call) => came.has(call)) ? 'toolCalls' : 'tool_calls';
}

function isSame(before: unknown, after: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return before === after;
  return before.length === after.length && before.every((each, index) => each === after[index]);
}

function writeRole({ role, wire, developer }: Message): unknown {
  if (developer === true) return 'developer';
  if (isRecord(wire) && roleOf(wire['role']) === role) return wire['role'];
  return role === 'tool' ? 'user' : role;
}

/** Content of which nothing was read is left as it is. */
function hadNoContent(wire: unknown): boolean {
  if (!isRecord(wire)) return false;
  const content = wire['content'];
  return content === undefined || content === null || (Array.isArray(content) && content.length === 0);
}

function writeContent(parts: readonly Part[], before: unknown): unknown {
  const only = parts.length === 1 ? parts[0] : undefined;
  if (only !== undefined && !Array.isArray(before)) {
    if (only.kind === 'text' && only.wire === undefined) return only.text;
    if (only.wire !== undefined && only.wire === before) return before;
  }
  return parts.map(writePiece);
}

function writePiece(part: Part): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  return 'text' in part ? withKeys(part.wire, { type: 'text', text: part.text }) : part.wire;
}

function writeResult(part: ResultPart, name: string | undefined): unknown {
  if (part.wire === undefined) {
    const texts = part.pieces === undefined ? [part.text] : divide(part.pieces).texts;
    const content = texts.length > 1 ? texts.map((text) => ({ type: 'text', text })) : (texts[0] ?? '');
    return { role: 'tool', tool_call_id: part.callId, ...maybe('name', name), content };
  }
  if (part.edited !== true) return part.wire;
  const { tool_call_id: id, toolCallId: other } = isRecord(part.wire) ? part.wire : {};
  const spelled = (id ?? undefined) === undefined && other !== undefined ? { toolCallId: undefined } : {};
  return withKeys(part.wire, { role: 'tool', tool_call_id: part.callId, ...spelled });
}

function writeCall(part: CallPart): unknown {
  if (part.wire !== undefined && part.edited !== true) return part.wire;
  const call = isRecord(part.wire) ? part.wire : {};
  const key = part.wire === undefined && part.free === true ? 'custom' : calleeKey(call);
  const input = typeof part.input === 'string' ? part.input : readableJson(part.input ?? {});
  const callee = key === 'custom' ? { name: part.tool, input } : { name: part.tool, arguments: input };
  const extra = part.seal && { google: { thought_signature: part.seal.value } };
  const named = { id: part.callId, type: key, [key]: withKeys(call[key], callee) };
  return withKeys(call, { ...named, ...maybe('extra_content', extra) });
}
