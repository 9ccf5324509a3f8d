import { idText } from '../../model/call-id.ts';
import type { CallPart, Outcome, Part, Place, ResultPart, Role } from '../../model/part.ts';
import { outcomeOfText } from '../../model/synthetic.ts';
import { charactersOf, isRecord, withKeys } from '../../model/value.ts';
import { legacyId, withLegacyId } from '../legacy-calls.ts';
import { promptText } from './prompt.ts';
import { readableText } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** How a part is read: as which kind, and whether the provider itself runs the tool. */
export type Shape =
  | 'prompt'
  | 'text'
  | 'thinking'
  | 'call'
  | 'return'
  | 'retry'
  | 'server-call'
  | 'server-return'
  | 'media';

const SHAPES: ReadonlyMap<unknown, Shape> = new Map([
  ['user-prompt', 'prompt'],
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['tool-call', 'call'],
  ['tool-return', 'return'],
  ['retry-prompt', 'retry'],
  ['builtin-tool-call', 'server-call'],
  ['native-tool-call', 'server-call'],
  ['builtin-tool-return', 'server-return'],
  ['native-tool-return', 'server-return'],
  ['file', 'media'],
]);
const OUTCOMES: ReadonlyMap<unknown, Outcome> = new Map([
  ['failed', 'error'],
  ['denied', 'denied'],
  ['interrupted', 'interrupted'],
]);

export function kindOf(part: Wire): unknown {
  return part['part_kind'] ?? part['partKind'];
}

export function idOf(part: Wire): string | undefined {
  return idText(part['tool_call_id'] ?? part['toolCallId']);
}

/** True for an id that is a number: it is read as its text, and has to be written as that. */
export function hasNumberId(part: Wire): boolean {
  return typeof (part['tool_call_id'] ?? part['toolCallId'] ?? part['id']) === 'number';
}

export function nameOf(part: Wire): unknown {
  return part['tool_name'] ?? part['toolName'];
}

/** A retry that names a tool answers its call; one that names none is said to the model as text. */
export function shapeOf(part: Wire, role: Role): Shape | undefined {
  const shape = SHAPES.get(kindOf(part));
  if (shape === 'retry' && (nameOf(part) ?? undefined) === undefined) return 'prompt';
  // Pairs of the provider's own tools live in responses; elsewhere such a part means nothing and is carried.
  return isServer(shape) && role !== 'assistant' ? undefined : shape;
}

/** True for a retry that answers no call and carries an id all the same, which may be that of a call. */
export function isNamelessRetry(part: Wire): boolean {
  return kindOf(part) === 'retry-prompt' && idOf(part) !== undefined;
}

function isServer(shape: Shape | undefined): boolean {
  return shape === 'server-call' || shape === 'server-return';
}

/** True for a part of no kind, and for one of the given shape that lacks what makes it one. */
export function isUnreadable(part: Wire, shape: Shape | undefined): boolean {
  if (typeof kindOf(part) !== 'string') return true;
  // What the provider ran by itself is paired by its id alone and cannot be completed from outside.
  return isServer(shape) && ((idOf(part) ?? '') === '' || typeof nameOf(part) !== 'string');
}

export function legacyName(entry: Wire): unknown {
  const inner = isRecord(entry['function']) ? entry['function'] : entry;
  return nameOf(entry) ?? inner['name'];
}

export function legacyInput(entry: Wire): unknown {
  const inner = isRecord(entry['function']) ? entry['function'] : entry;
  return entry['args'] ?? inner['arguments'];
}

/** Characters of content in a part; ids, dates and the like are none. */
export function measure(part: Wire, shape: Shape | undefined): number {
  switch (shape) {
    case undefined:
      return charactersOf(part);
    case 'call':
    case 'server-call':
      return charactersOf(part['args']) + charactersOf(nameOf(part));
    default:
      return charactersOf(part['content']);
  }
}

export function readPart(wire: unknown, role: Role, at: Place): Part {
  const shape = isRecord(wire) ? shapeOf(wire, role) : undefined;
  if (!isRecord(wire) || isUnreadable(wire, shape)) return { kind: 'opaque', wire, at, characters: charactersOf(wire) };
  const characters = measure(wire, shape);
  // No part is copied from what all of them have in common: a copy takes longer than everything else here.
  switch (shape) {
    case 'prompt':
      return { kind: 'text', text: promptText(wire['content']), wire, at, characters };
    case 'text':
      return { kind: 'text', text: readableText(wire['content']), wire, at, characters };
    case 'thinking': {
      const seal = wire['signature'];
      const sealed = typeof seal === 'string' && seal !== '';
      return { kind: 'reasoning', text: readableText(wire['content']), sealed, wire, at, characters };
    }
    case 'call':
    case 'server-call': {
      const server = shape === 'server-call';
      const callId = idOf(wire) ?? '';
      return { kind: 'call', callId, tool: toolOf(wire), input: wire['args'], server, wire, at, characters };
    }
    case 'return':
    case 'retry':
    case 'server-return': {
      const text = readableText(wire['content']);
      const outcome = shape === 'retry' ? 'error' : (OUTCOMES.get(wire['outcome']) ?? outcomeOfText(text));
      const server = shape === 'server-return';
      const callId = idOf(wire) ?? '';
      return { kind: 'result', callId, tool: toolOf(wire), outcome, text, server, wire, at, characters };
    }
    case 'media':
      return { kind: 'media', wire, at, characters };
    case undefined:
      return { kind: 'opaque', wire, at, characters };
  }
}

function toolOf(part: Wire): string {
  const name = nameOf(part);
  return typeof name === 'string' ? name : '';
}

export function readLegacy(wire: unknown, at: Place): Part {
  if (!isRecord(wire)) return { kind: 'opaque', wire, at, characters: charactersOf(wire) };
  const [id, tool, input] = [legacyId(wire), legacyName(wire), legacyInput(wire)];
  const callId = idText(id) ?? '';
  const characters = charactersOf(input) + charactersOf(tool);
  return {
    kind: 'call',
    callId,
    tool: typeof tool === 'string' ? tool : '',
    input,
    server: false,
    wire,
    at,
    characters,
  };
}

export function writePart(part: Part, role: Role): unknown {
  const isPart = part.wire !== undefined && (part.kind !== 'call' || isWrittenCall(part.wire));
  if (isPart && part.edited !== true) return part.wire;
  switch (part.kind) {
    case 'text':
      return part.wire === undefined
        ? { part_kind: role === 'assistant' ? 'text' : 'user-prompt', content: part.text }
        : withKeys(part.wire, { content: part.text });
    case 'reasoning':
      return withKeys(part.wire, { ...(isPart ? {} : { part_kind: 'thinking' }), content: part.text });
    case 'call':
      return isPart ? rewriteCall(part) : newCall(part);
    case 'result':
      return isPart ? rewriteResult(part) : newResult(part);
    default:
      return part.wire;
  }
}

/** An entry of the older list has another shape than a part and is written anew when it becomes one. */
function isWrittenCall(wire: unknown): boolean {
  return isRecord(wire) && kindOf(wire) !== undefined;
}

function newCall({ server, tool, input, callId }: CallPart): Wire {
  const kind = server ? 'builtin-tool-call' : 'tool-call';
  return { part_kind: kind, tool_name: tool, args: input ?? null, tool_call_id: callId };
}

function newResult({ server, tool, text, callId, outcome }: ResultPart): Wire {
  const kind = server ? 'builtin-tool-return' : 'tool-return';
  // Not every release has a word for a call that was interrupted, and each that has any takes this one.
  const ended = outcome === 'ok' ? {} : { outcome: 'failed' };
  return { part_kind: kind, tool_name: tool ?? '', content: text, tool_call_id: callId, ...ended };
}

function rewriteCall({ wire, callId, tool, input }: CallPart): Wire {
  return withKeys(wire, { ...names(wire, callId, tool), args: input });
}

function rewriteResult({ wire, callId, tool }: ResultPart): Wire {
  return withKeys(wire, names(wire, callId, tool));
}

/** Id and name under the spelling the part came with. */
function names(wire: unknown, callId: string, tool: string | undefined): Wire {
  const camel = isRecord(wire) && 'partKind' in wire;
  return camel ? { toolCallId: callId, toolName: tool } : { tool_call_id: callId, tool_name: tool };
}

export function writeEntry(part: CallPart): unknown {
  const entry = withLegacyId(part.wire, part.callId);
  if (legacyName(entry) === part.tool) return entry;
  return withKeys(entry, { tool_name: part.tool });
}
