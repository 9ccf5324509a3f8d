import type { CallPart, Message, Part } from '../../model/part.ts';
import { isRecord, readableJson, withKeys } from '../../model/value.ts';
import { write as writeChat } from '../openai-chat/write.ts';

type Wire = Record<string, unknown>;

/** Writes a message; parts that were not edited go out as they came. */
export function write(message: Message): unknown {
  return writeChat({ ...message, parts: message.parts.map(inOwnForm) });
}

/** Every call of this API is a function, whatever it came as, and reasoning is a piece of its own. */
function inOwnForm(part: Part): Part {
  if (part.wire !== undefined && part.edited !== true) return part;
  if (part.kind === 'call') return { ...part, wire: writeCall(part), edited: false };
  if (part.kind !== 'reasoning' || part.wire !== undefined) return part;
  return { ...part, wire: { type: 'thinking', thinking: [{ type: 'text', text: part.text }] } };
}

function writeCall({ wire, callId, tool, input }: CallPart): Wire {
  const call: Wire = isRecord(wire) ? wire : {};
  // Arguments that came as an object stay one.
  const asItCame = typeof input === 'string' || (wire !== undefined && isRecord(input));
  const callee = { name: tool, arguments: asItCame ? input : readableJson(input ?? {}) };
  const own = withKeys(call['function'], callee);
  return withKeys(call, { id: callId, type: 'function', function: own, custom: undefined });
}
