import { idText } from '../model/call-id.ts';
import type { CallPart, Message, Part } from '../model/part.ts';
import { charactersOf, isRecord } from '../model/value.ts';

type Wire = Record<string, unknown>;

/** What is taken from an answer whose calls were put where they belong. */
export const NOT_BESIDE = { tool_calls: undefined, function_call: undefined } as const;

const NONE: readonly Wire[] = [];

/** The calls that other formats list beside the content; not one that a part of the content repeats. */
export function callsBeside(wire: Wire): readonly Wire[] {
  const list = wire['tool_calls'];
  if (!Array.isArray(list) || list.length === 0) return callOfOld(wire);
  const said = new Set([...piecesOf(wire['content']), ...piecesOf(wire['parts'])].map(idOf));
  return (list as unknown[]).filter(isRecord).filter((call) => !said.has(idText(call['id']) ?? call));
}

/** The key under which the calls of another format are read, where there are any. */
export function callsKey(wire: Wire): string {
  const list = wire['tool_calls'];
  return Array.isArray(list) && list.some(isRecord) ? 'tool_calls' : 'function_call';
}

/** The one call of an answer in the form that chats had before they had lists of calls. */
function callOfOld(wire: Wire): readonly Wire[] {
  const call = wire['function_call'];
  return isRecord(call) && typeof call['name'] === 'string' ? [call] : NONE;
}

function piecesOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? (content as unknown[]) : [];
}

function idOf(piece: unknown): unknown {
  return isRecord(piece) ? idText(piece['toolCallId'] ?? piece['id']) : undefined;
}

/** True for an answer whose calls stand where its dialect does not look. */
export function hasCallsBeside(wire: Wire): boolean {
  return (wire['tool_calls'] !== undefined || wire['function_call'] !== undefined) && callsBeside(wire).length > 0;
}

/** Calls with free text have their name and input under a key of their own. */
function innerOf(call: Wire): Wire {
  if (isRecord(call['function'])) return call['function'];
  return isRecord(call['custom']) ? call['custom'] : call;
}

function inputOf(call: Wire): unknown {
  const inner = innerOf(call);
  return inner['arguments'] ?? inner['args'] ?? inner['input'];
}

export function besideCharacters(calls: readonly Wire[]): number {
  return calls.reduce((sum, call) => sum + charactersOf(innerOf(call)['name']) + charactersOf(inputOf(call)), 0);
}

/** The same calls as parts, to be written in the form of the dialect. */
export function readBeside(calls: readonly Wire[]): CallPart[] {
  return calls.map((call) => {
    const { id } = call;
    const { name } = innerOf(call);
    return {
      kind: 'call',
      callId: idText(id) ?? '',
      tool: typeof name === 'string' ? name : '',
      input: inputOf(call) ?? {},
      server: false,
      characters: besideCharacters([call]),
    };
  });
}

/** Arguments as an object, where they are the whole text of one. */
export function withParsedInput(part: CallPart): CallPart {
  if (typeof part.input !== 'string') return part;
  try {
    const input: unknown = JSON.parse(part.input === '' ? '{}' : part.input);
    return isRecord(input) ? { ...part, input } : part;
  } catch {
    return part;
  }
}

/**
 * The parts of a message that was read again: together they carry what was counted before. What no part counts itself
 * goes to the first that can be read, because one that cannot may be nothing and go.
 */
export function weighed(parts: readonly Part[], total: number): readonly Part[] {
  const bearer = Math.max(
    0,
    parts.findIndex((part) => part.kind !== 'opaque'),
  );
  const counted = parts.reduce((sum, part, i) => (i === bearer ? sum : sum + part.characters), 0);
  return parts.map((part, i) => (i === bearer ? { ...part, characters: Math.max(0, total - counted) } : part));
}

/** One entry for what is said and one for each call, where an entry is one text or one call. */
export function divide(message: Message): readonly Message[] {
  const { role, parts, at } = message;
  const calls = parts.filter((part) => part.kind === 'call');
  if (parts.length < 2 || calls.length === 0) return [message];
  const said = parts.filter((part) => part.kind !== 'call');
  const alone = calls.map((call): Message => ({ role, parts: [call], at }));
  return said.length === 0 ? alone : [{ ...message, parts: said }, ...alone];
}
