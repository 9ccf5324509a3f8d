import { isRecord } from '../model/value.ts';
import type { Dialect } from './dialects.ts';

/** How many messages are looked at: enough to meet a call in any real session. */
const SAMPLE = 200;

const ANTHROPIC_PARTS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
  'image',
  'document',
]);
const CHAT_PARTS = new Set(['image_url', 'input_audio', 'file', 'refusal']);

/** Tells which wire format a list, one message or a whole request is in; undefined when nothing shows it. */
export function detectDialect(input: unknown): Dialect | undefined {
  try {
    if (Array.isArray(input)) return detectList(input);
    if (!isRecord(input)) return undefined;
    if (Array.isArray(input['messages'])) return detectBody(input) ?? detectList(input['messages']);
    return detectList([input]);
  } catch {
    return undefined;
  }
}

function detectBody(body: Record<string, unknown>): Dialect | undefined {
  const model = body['model'];
  if (typeof model === 'string' && /claude/i.test(model)) return 'anthropic-messages';
  if (typeof model === 'string' && /^(gpt-|o\d|chatgpt)/i.test(model)) return 'openai-chat';
  const tool: unknown = Array.isArray(body['tools']) ? body['tools'][0] : undefined;
  if (isRecord(tool) && isRecord(tool['function'])) return 'openai-chat';
  if (isRecord(tool) && 'input_schema' in tool) return 'anthropic-messages';
  if ('system' in body || 'stop_sequences' in body || isRecord(body['thinking'])) return 'anthropic-messages';
  return undefined;
}

function detectList(list: readonly unknown[]): Dialect | undefined {
  let guess: Dialect | undefined;
  const sample = Math.min(list.length, SAMPLE);
  for (let i = 0; i < sample; i += 1) {
    const message = list[i];
    if (!isRecord(message)) continue;
    const certain = certainDialect(message);
    if (certain !== undefined) return certain;
    guess ??= likelyDialect(message);
  }
  return guess;
}

function certainDialect(message: Record<string, unknown>): Dialect | undefined {
  const { role, kind, content } = message;
  if ((kind === 'request' || kind === 'response') && 'parts' in message) return 'pydantic-ai';
  if (role === 'tool' || role === 'function' || role === 'developer') return 'openai-chat';
  if (Array.isArray(message['tool_calls']) || isRecord(message['function_call'])) return 'openai-chat';
  if (!Array.isArray(content)) return undefined;
  for (const part of content as unknown[]) {
    const type = isRecord(part) ? part['type'] : undefined;
    if (typeof type !== 'string') continue;
    if (ANTHROPIC_PARTS.has(type) || type.endsWith('_tool_result')) return 'anthropic-messages';
    if (CHAT_PARTS.has(type)) return 'openai-chat';
  }
  return undefined;
}

/** Plain texts are the same in several dialects; the reading that asks least of them is taken. */
function likelyDialect({ role, content }: Record<string, unknown>): Dialect | undefined {
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  return Array.isArray(content) && role !== 'system' ? 'anthropic-messages' : 'openai-chat';
}
