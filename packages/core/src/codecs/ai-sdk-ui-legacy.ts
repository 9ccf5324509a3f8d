import { idText } from '../model/call-id.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../model/value.ts';
import {
  besideCharacters,
  callsBeside,
  hasCallsBeside,
  NOT_BESIDE,
  readBeside,
  withParsedInput,
} from './calls-beside.ts';

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

/** True for an answer with calls in the form of an earlier version or of another format. */
export function isLegacy(wire: Wire): boolean {
  const { parts } = wire;
  if (Array.isArray(parts)) {
    for (let i = 0; i < parts.length; i += 1) if (isInvocation(parts[i])) return true;
  }
  if (wire['toolInvocations'] !== undefined && invocationsBeside(wire).length > 0) return true;
  return hasCallsBeside(wire);
}

/** Characters of the calls that stand beside the parts. */
export function legacyCharacters(wire: Wire): number {
  return besideCharacters(callsBeside(wire)) + charactersOf(invocationsBeside(wire));
}

/** The same answer with every call among its parts, which are given. */
export function upgraded(wire: Wire, parts: readonly unknown[]): Wire {
  const own = parts.map((part) => (isInvocation(part) ? upgrade(part.toolInvocation, part) : part));
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
