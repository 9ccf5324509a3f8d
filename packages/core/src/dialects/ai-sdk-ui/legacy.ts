import { idText } from '../../model/call-id.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import {
  besideCharacters,
  callsBeside,
  hasCallsBeside,
  NOT_BESIDE,
  readBeside,
  withParsedInput,
} from '../calls-beside.ts';

type Wire = Record<string, unknown>;

const STATES: ReadonlyMap<unknown, string> = new Map([
  ['partial-call', 'input-streaming'],
  ['call', 'input-available'],
  ['result', 'output-available'],
]);

/** True for a call as version 4 had it: one type for every tool, and all of the call in an object inside. */
function isInvocation(part: unknown): part is Wire & { toolInvocation: Wire } {
  return isRecord(part) && part['type'] === 'tool-invocation' && isRecord(part['toolInvocation']);
}

/** Calls that versions before the parts kept beside the text, unless a part repeats them. */
function invocationsBeside(wire: Wire): readonly Wire[] {
  const { toolInvocations: list, parts } = wire;
  if (!Array.isArray(list) || list.length === 0) return [];
  const ids = new Set(Array.isArray(parts) ? (parts as unknown[]).map(idOf) : []);
  return (list as unknown[]).filter(isRecord).filter((call) => !ids.has(idText(call['toolCallId']) ?? call));
}

function idOf(part: unknown): unknown {
  if (isInvocation(part)) return idText(part.toolInvocation['toolCallId']);
  return isRecord(part) ? idText(part['toolCallId']) : undefined;
}

/** True for a part in the form of version 4, or in a state that this version does not have. */
function isOld(part: unknown): boolean {
  const type = isRecord(part) ? part['type'] : undefined;
  if (type === 'reasoning') return isOldThought(part);
  if (type === 'file') return isOldFile(part);
  return isInvocation(part) || isMisstated(part);
}

/** Reasoning was once named after itself. */
export function isOldThought(part: unknown): part is Wire & { reasoning: string } {
  if (!isRecord(part) || part['type'] !== 'reasoning') return false;
  return typeof part['text'] !== 'string' && typeof part['reasoning'] === 'string';
}

/** Files once held their data, and had no address. */
function isOldFile(part: unknown): part is Wire & { data: string; mimeType: string } {
  if (!isRecord(part) || part['type'] !== 'file' || part['url'] !== undefined) return false;
  return typeof part['data'] === 'string' && typeof part['mimeType'] === 'string';
}

function asFile(part: Wire & { data: string; mimeType: string }): Wire {
  const { data, mimeType: mediaType } = part;
  const url = /^(?:data|https?):/.test(data) ? data : `data:${mediaType};base64,${data}`;
  return withKeys(part, { mediaType, url, mimeType: undefined, data: undefined });
}

/** True for an answer with parts or calls in the form of an earlier version or of another format. */
export function isLegacy(wire: Wire): boolean {
  const { parts } = wire;
  if (Array.isArray(parts)) {
    for (let i = 0; i < parts.length; i += 1) if (isOld(parts[i])) return true;
  }
  if (wire['toolInvocations'] !== undefined && invocationsBeside(wire).length > 0) return true;
  return hasCallsBeside(wire);
}

/** States in which a part tells what came of its call; of the others only those before the call ended are known. */
const ENDED: ReadonlySet<unknown> = new Set([
  'output-available',
  'output-error',
  'output-denied',
  'approval-responded',
]);

/** True for a call with an outcome whose state, of another version or of none, does not say that there is one. */
function isMisstated(part: unknown): part is Wire {
  if (!isRecord(part) || part['toolCallId'] === undefined || ENDED.has(part['state'])) return false;
  const { type, output, result, errorText } = part;
  if (typeof type !== 'string' || !(type === 'dynamic-tool' || type.startsWith('tool-'))) return false;
  // What the provider runs itself may end in a later answer.
  return part['providerExecuted'] !== true && ([output, result].some(isThere) || isSaid(errorText));
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isSaid(text: unknown): boolean {
  return typeof text === 'string' && text !== '';
}

/** The same part in the state that its outcome calls for. */
function restated(part: Wire): Wire {
  const { input, args, output, result, errorText } = part;
  const asked = input === undefined && args !== undefined ? { input: args, args: undefined } : {};
  if (isSaid(errorText)) return withKeys(part, { ...asked, state: 'output-error' });
  const given = isThere(output) ? {} : { output: result, result: undefined };
  return withKeys(part, { ...asked, ...given, state: 'output-available', errorText: undefined });
}

/** Characters of the calls that stand beside the parts. */
export function legacyCharacters(wire: Wire): number {
  return besideCharacters(callsBeside(wire)) + charactersOf(invocationsBeside(wire));
}

/** The same answer with every call among its parts, which are given. */
export function upgraded(wire: Wire, parts: readonly unknown[]): Wire {
  const own = parts.map((part) => {
    if (isInvocation(part)) return upgrade(part.toolInvocation, part);
    if (isOldThought(part)) return withKeys(part, { text: part.reasoning, reasoning: undefined });
    if (isOldFile(part)) return asFile(part);
    return isMisstated(part) ? restated(part) : part;
  });
  const beside = invocationsBeside(wire).map((invocation) => upgrade(invocation, {}));
  const calls = readBeside(callsBeside(wire))
    .map(withParsedInput)
    .map(({ tool, callId, input }) => ({
      type: `tool-${tool}`,
      toolCallId: callId,
      state: 'input-available',
      input,
    }));
  return withKeys(wire, { toolInvocations: undefined, ...NOT_BESIDE, parts: [...own, ...beside, ...calls] });
}

function upgrade(invocation: Wire, part: Wire): Wire {
  const { state, toolCallId, toolName, args, result } = invocation;
  const now = STATES.get(state) ?? (result === undefined ? 'input-available' : 'output-available');
  return withKeys(part, {
    type: `tool-${typeof toolName === 'string' ? toolName : readableJson(toolName ?? '')}`,
    toolInvocation: undefined,
    toolCallId,
    state: now,
    input: args ?? {},
    ...(now === 'output-available' ? { output: result ?? null } : {}),
  });
}
