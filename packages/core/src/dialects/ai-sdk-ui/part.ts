import { idText } from '../../model/call-id.ts';
import type { CallPart, Outcome, Part, Place, ResultPart, Role } from '../../model/part.ts';
import { charactersOf, isRecord, readableJson, withKeys } from '../../model/value.ts';
import { readableText, strangerCharacters } from '../salvage.ts';

type Wire = Record<string, unknown>;

/** How a part of a message of the user interface is read. */
export type UiShape = 'text' | 'reasoning' | 'media' | 'tool' | 'other' | 'unreadable';

/** Everything that a message may hold and a model is never shown is read as `other` and carried. */
export function shapeOf(part: unknown, role: Role): UiShape {
  if (!isRecord(part) || typeof part['type'] !== 'string') return 'unreadable';
  const { type, text, url } = part;
  if (type === 'text') return typeof text === 'string' ? 'text' : 'unreadable';
  if (type === 'file' && role !== 'system') {
    return isRecord(part['providerReference']) || isAddress(url) ? 'media' : 'unreadable';
  }
  if (role !== 'assistant') return 'other';
  switch (type) {
    case 'reasoning':
      return typeof text === 'string' ? 'reasoning' : 'unreadable';
    case 'reasoning-file':
      return isAddress(url) ? 'other' : 'unreadable';
    case 'steering-message':
      return isSteering(part['parts']) ? 'other' : 'unreadable';
    default:
      return isToolType(type) && part['state'] !== 'input-streaming' ? 'tool' : 'other';
  }
}

/** What the user put in while the model was answering: texts and files. */
function isSteering(parts: unknown): boolean {
  return Array.isArray(parts) && parts.every((part) => ['text', 'media'].includes(shapeOf(part, 'user')));
}

export function isToolType(type: unknown): boolean {
  return typeof type === 'string' && (type === 'dynamic-tool' || type.startsWith('tool-'));
}

const SCHEME = /^[a-zA-Z][a-zA-Z0-9+.-]*:/;
/** Every runtime has this class, though it is not part of the language. */
declare const URL: { canParse(url: string): boolean };

/** Texts that begin like an address and are none are rare, so only the beginning of a long one is looked at first. */
function isAddress(url: unknown): boolean {
  if (typeof url !== 'string' || !SCHEME.test(url)) return false;
  return url.startsWith('data:') || URL.canParse(url);
}

export function toolName(part: Wire): unknown {
  return part['type'] === 'dynamic-tool' ? part['toolName'] : String(part['type']).slice('tool-'.length);
}

export function isServer(part: Wire): boolean {
  return part['providerExecuted'] === true;
}

/** True for a call with an outcome, which stands in the same part. */
export function isSettled(part: Wire): boolean {
  const { state, approval } = part;
  if (state === 'approval-responded') return isRecord(approval) && approval['approved'] === false;
  return state === 'output-available' || state === 'output-error' || state === 'output-denied';
}

/** The arguments of a call; one that failed may have only the text that was not understood. */
export function inputOf(part: Wire): unknown {
  return part['state'] === 'output-error' ? (part['input'] ?? part['rawInput']) : part['input'];
}

/** What came of a call, wherever its state has it. */
function outputOf(part: Wire): unknown {
  const { state, approval } = part;
  if (state === 'output-available') return part['output'];
  if (state === 'output-error') return part['errorText'];
  return isRecord(approval) ? approval['reason'] : undefined;
}

export function outputCharacters(part: Wire): number {
  return charactersOf(outputOf(part));
}

function outcomeOf({ state }: Wire): Outcome {
  if (state === 'output-available') return 'ok';
  return state === 'output-error' ? 'error' : 'denied';
}

export function callCharacters(part: Wire): number {
  return charactersOf(toolName(part)) + charactersOf(inputOf(part));
}

/** True for reasoning that comes with something only its provider can read. */
export function isSealed(part: Wire): boolean {
  const metadata = part['providerMetadata'];
  return isRecord(metadata) && Object.keys(metadata).length > 0;
}

/** True for a part that a model message is made of. */
export function isSent(part: unknown, role: Role): boolean {
  const shape = shapeOf(part, role);
  if (shape === 'unreadable' || !isRecord(part)) return true;
  const { type } = part;
  if (shape === 'text') return part['text'] !== '' || (role === 'assistant' && part['providerMetadata'] !== undefined);
  if (shape !== 'other') return true;
  if (role === 'user') return String(type).startsWith('data-');
  return type === 'custom' || type === 'reasoning-file' || type === 'steering-message';
}

/** Adds one part, or a call and its result where both stand in one. */
export function readInto(parts: Part[], wire: unknown, { role, message }: { role: Role; message: number }): void {
  const at = { message, part: parts.length };
  const shape = shapeOf(wire, role);
  if (isRecord(wire) && shape === 'tool') return readTool(parts, wire, at);
  parts.push(readPart(wire, shape, at));
}

function readPart(wire: unknown, shape: UiShape, at: Place): Part {
  switch (shape) {
    case 'text': {
      const { text } = wire as { text: string };
      return { kind: 'text', text, wire, at, characters: text.length };
    }
    case 'reasoning': {
      const { text } = wire as { text: string };
      return { kind: 'reasoning', text, sealed: isSealed(wire as Wire), wire, at, characters: text.length };
    }
    default:
      return { kind: shape === 'media' ? 'media' : 'opaque', wire, at, characters: strangerCharacters(wire) };
  }
}

function readTool(parts: Part[], wire: Wire, at: { message: number; part: number }): void {
  const name = toolName(wire);
  const { toolCallId } = wire;
  const callId = idText(toolCallId) ?? '';
  const tool = typeof name === 'string' ? name : '';
  const server = isServer(wire);
  const input = inputOf(wire);
  const characters = charactersOf(name) + charactersOf(input);
  parts.push({ kind: 'call', callId, tool, server, wire, input, at, characters });
  if (!isSettled(wire)) return;
  const output = outputOf(wire);
  const text = wire['state'] === 'output-available' && isRecord(output) ? readableJson(output) : readableText(output);
  const behind: Place = { message: at.message, part: at.part + 1 };
  const outcome = outcomeOf(wire);
  const given = charactersOf(output);
  parts.push({ kind: 'result', callId, tool, server, wire, outcome, text, at: behind, characters: given });
}

/** A call and what came of it, as the one part they are. */
export function writeTool(call: CallPart, result: ResultPart | undefined): unknown {
  const wire = writeCall(call);
  if (result === undefined) return isRecord(wire) && isSettled(wire) ? withKeys(wire, OPEN) : wire;
  // A result that stands in the part of its call, or in a copy of it, has nothing to add.
  if (result.wire !== undefined && result.edited !== true) {
    return result.wire === call.wire ? wire : withKeys(wire, outcomeKeys(result.wire));
  }
  const { approval } = isRecord(wire) ? wire : {};
  const granted = isRecord(approval) && approval['approved'] === true ? {} : { approval: undefined };
  if (result.outcome === 'ok')
    return withKeys(wire, { ...OPEN, state: 'output-available', output: result.text, ...granted });
  return withKeys(wire, { ...OPEN, state: 'output-error', errorText: result.text, ...granted });
}

const OPEN = { state: 'input-available', output: undefined, errorText: undefined, preliminary: undefined };

function outcomeKeys(wire: unknown): Wire {
  const { state, output, errorText, approval, preliminary } = isRecord(wire) ? wire : {};
  return { state, output, errorText, approval, preliminary };
}

function writeCall({ wire, edited, callId, tool, input, server }: CallPart): unknown {
  if (wire !== undefined && edited !== true) return wire;
  const before = isRecord(wire) ? wire : undefined;
  if (before === undefined) {
    const ran = server ? { providerExecuted: true } : {};
    return { type: `tool-${tool}`, toolCallId: callId, state: 'input-available', input: input ?? {}, ...ran };
  }
  const named = before['type'] === 'dynamic-tool' ? { toolName: tool } : { type: `tool-${tool}` };
  return withKeys(before, { ...named, toolCallId: callId, input });
}
