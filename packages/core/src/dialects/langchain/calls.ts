import { idText } from '../../model/call-id.ts';
import type { CallPart, Place } from '../../model/part.ts';
import { charactersOf, isBlank, isRecord, readableJson, withKeys } from '../../model/value.ts';

type Wire = Record<string, unknown>;

export type ListKey = 'tool_calls' | 'additional_kwargs' | 'invalid_tool_calls';

/**
 * Where the calls of an answer are listed. Providers' own lists are read where the framework's is empty, and calls that
 * the framework could not make sense of where an answer says nothing else.
 */
export type CallList = { readonly key: ListKey; readonly entries: readonly unknown[] };

export const NO_CALLS: CallList = { key: 'tool_calls', entries: [] };

export function callList(fields: Wire): CallList {
  const own = fields['tool_calls'];
  if (Array.isArray(own) && own.length > 0) return { key: 'tool_calls', entries: own };
  const extra = fields['additional_kwargs'];
  const raw = isRecord(extra) ? extra['tool_calls'] : undefined;
  if (Array.isArray(raw) && raw.length > 0) return { key: 'additional_kwargs', entries: raw };
  const failed = fields['invalid_tool_calls'];
  if (!Array.isArray(failed) || failed.length === 0 || !isSilent(fields['content'])) return NO_CALLS;
  return { key: 'invalid_tool_calls', entries: failed };
}

/** Calls that the framework could not make sense of, and leaves out beside what else an answer says. */
export function failedCalls(fields: Wire): readonly unknown[] {
  const failed = fields['invalid_tool_calls'];
  return Array.isArray(failed) && callList(fields).key === 'tool_calls' ? (failed as unknown[]) : NO_CALLS.entries;
}

/** A call in the form that came before lists of calls, in an answer that holds nothing else. */
export function loneCall(fields: Wire): Wire | undefined {
  const extra = fields['additional_kwargs'];
  const call = isRecord(extra) ? extra['function_call'] : undefined;
  return isRecord(call) && isSilent(fields['content']) && callList(fields).entries.length === 0 ? call : undefined;
}

/** True for content of which nothing would be left. */
function isSilent(content: unknown): boolean {
  if (content === undefined || content === null) return true;
  if (typeof content === 'string') return isBlank(content);
  return Array.isArray(content) && content.every(isBlankPiece);
}

function isBlankPiece(piece: unknown): boolean {
  const text: unknown = isRecord(piece) && piece['type'] === 'text' ? piece['text'] : piece;
  return typeof text === 'string' && isBlank(text);
}

/** True for a piece of content that is a call. */
export function isCallPiece(piece: unknown): piece is Wire {
  return isRecord(piece) && (piece['type'] === 'tool_use' || piece['type'] === 'tool_call');
}

/** Tells pieces of content that only repeat a call of the list. */
export function echoesOf({ entries }: CallList): (piece: unknown) => boolean {
  let ids: ReadonlySet<unknown> | undefined;
  return (piece) => {
    if (!isCallPiece(piece)) return false;
    ids ??= new Set(entries.filter(isRecord).map((entry) => entry['id']));
    return ids.has(piece['id']);
  };
}

export function callName(entry: Wire): unknown {
  return isRecord(entry['function']) ? entry['function']['name'] : entry['name'];
}

export function callInput(entry: Wire): unknown {
  return isRecord(entry['function']) ? entry['function']['arguments'] : (entry['args'] ?? entry['input']);
}

/** Arguments are an object, except in the form of a provider that takes text; a call that failed has none yet. */
export function isSoundInput(entry: Wire, { key }: CallList): boolean {
  if (key === 'invalid_tool_calls') return false;
  const input = callInput(entry);
  return isRecord(entry['function']) ? typeof input === 'string' : isRecord(input);
}

export function callCharacters(entry: unknown): number {
  if (!isRecord(entry)) return charactersOf(entry);
  return charactersOf(callName(entry)) + charactersOf(callInput(entry));
}

export function readCall(wire: unknown, at: Place): CallPart {
  if (!isRecord(wire)) {
    const characters = charactersOf(wire);
    return { kind: 'call', server: false, wire: wire ?? null, at, characters, callId: '', tool: '', input: wire };
  }
  const { id } = wire;
  const name = callName(wire);
  const input = callInput(wire);
  const callId = idText(id) ?? '';
  const tool = typeof name === 'string' ? name : '';
  const characters = charactersOf(name) + charactersOf(input);
  return { kind: 'call', server: false, wire, at, characters, callId, tool, input };
}

/** A call in the form it came in; a new one in that of the framework. */
export function writeCall(part: CallPart): unknown {
  const { wire, callId, tool, input } = part;
  if (wire !== undefined && part.edited !== true) return wire;
  const before = isRecord(wire) ? wire : undefined;
  if (before !== undefined && isRecord(before['function'])) {
    const text = typeof input === 'string' ? input : readableJson(input ?? {});
    return withKeys(before, { id: callId, function: withKeys(before['function'], { name: tool, arguments: text }) });
  }
  const key = before !== undefined && 'input' in before && !('args' in before) ? 'input' : 'args';
  const made = { name: tool, [key]: input ?? {}, id: callId };
  if (before === undefined) return { ...made, type: 'tool_call' };
  const failed = before['type'] === 'invalid_tool_call' || (before['type'] === undefined && 'error' in before);
  return withKeys(before, failed ? { ...made, type: 'tool_call', error: undefined } : made);
}

/** The call that a part stood for when it came. */
function cameAs(part: CallPart): unknown {
  return isRecord(part.wire) ? idText(part.wire['id']) : undefined;
}

/** Gives each of several copies of a call the fate of its own: kept under its id, renamed, or gone. */
export function followCalls(calls: readonly CallPart[]): (copy: unknown) => unknown[] {
  const byId = new Map<unknown, CallPart[]>();
  for (const call of calls) {
    const same = byId.get(cameAs(call));
    if (same === undefined) byId.set(cameAs(call), [call]);
    else same.push(call);
  }
  return (copy) => {
    const id = isRecord(copy) ? idText(copy['id']) : undefined;
    const call = byId.get(id)?.shift();
    if (call === undefined) return [];
    return [call.edited === true ? writeCall({ ...call, wire: copy }) : copy];
  };
}
