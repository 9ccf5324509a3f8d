import { messageTokens, partsTokens, valueTokens } from './compaction/message-tokens.ts';
import { countText, type TokenCounter } from './compaction/tokens.ts';
import { openInput } from './open-input.ts';
import type { Message } from './model/part.ts';
import { ask } from './model/read-safely.ts';
import { isRecord } from './model/value.ts';
import type { TargetInput } from './target.ts';

export { calibrate, type TokenCounter, type Usage } from './compaction/tokens.ts';

/** The fields of a request that the model reads before the messages. */
const READ_FIRST: readonly string[] = [
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
  'toolConfig',
];

/**
 * Estimates how many tokens a text, a message, a list of messages or a whole request takes. Texts are estimated within
 * 15 % as a rule; give `count` to count them otherwise. Media count by their kind, not by their bytes. Never throws.
 *
 * @example
 * estimateTokens('Delete the old logs.');
 * estimateTokens(request);
 */
export function estimateTokens(input: unknown, target?: TargetInput, count: TokenCounter = countText): number {
  if (typeof input === 'string') return count(input);
  return ask((given: unknown) => messagesTokens(given, target, count), input) ?? 0;
}

function messagesTokens(input: unknown, target: TargetInput | undefined, count: TokenCounter): number {
  if (isReadMessage(input)) return partsTokens(input, count);
  const held = openInput(input, target) ?? openInput([input], target);
  if (held === undefined) return valueTokens(input, count);
  let sum = 0;
  for (const wire of held.list) sum += messageTokens(wire, held.codec, count);
  if (!isRecord(input) || !Object.hasOwn(input, held.codec.listKey)) return sum;
  for (const key of READ_FIRST) if (input[key] !== undefined) sum += valueTokens(input[key], count);
  return sum;
}

function isReadMessage(input: unknown): input is Message {
  if (!isRecord(input) || typeof input['at'] !== 'number' || !Array.isArray(input['parts'])) return false;
  return (input['parts'] as unknown[]).every((part) => isRecord(part) && typeof part['characters'] === 'number');
}
