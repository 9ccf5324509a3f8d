import { ask } from '../model/read-safely.ts';
import { isRecord } from '../model/value.ts';
import { isContradicted } from './detect-foreign.ts';
import { frameworkDialect, frameworkOf } from './detect-framework.ts';
import { hostedBody, hostedMessage, isBlockList } from './detect-hosts.ts';
import { hasInput, isItem } from './detect-items.ts';
import type { Dialect } from '../model/dialect.ts';

/** How many messages are looked at: enough to meet a call in any real session. */
const SAMPLE = 200;

const ANTHROPIC_PARTS: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'mcp_tool_use',
  'image',
  'document',
]);
const CHAT_PARTS: ReadonlySet<unknown> = new Set(['image_url', 'input_audio', 'file', 'refusal']);

/**
 * Tells which wire format a list, one message or a whole request is in; undefined when nothing shows it. The model it
 * goes to decides where the messages do not.
 */
export function detectDialect(input: unknown, model?: string): Dialect | undefined {
  try {
    if (Array.isArray(input)) return detectList(input, model);
    if (!isRecord(input)) return undefined;
    if (isContents(input['contents'])) return 'gemini';
    if (Array.isArray(input['messages'])) {
      return borneOut(input['messages'], detectMessages(input, { list: input['messages'], model }));
    }
    if (hasInput(input)) return itemDialect(input['input']);
    return detectList([input], model);
  } catch {
    return undefined;
  }
}

/** Most items of the API are those of its SDK too, so one that is not decides for all. */
function itemDialect(list: unknown): Dialect {
  const framework = Array.isArray(list) ? frameworkOf(list, SAMPLE) : undefined;
  return framework === 'openai-agents' ? framework : 'openai-responses';
}

/** What a message shows says more than the name of a model, which frameworks and proxies use too. */
function detectMessages(body: Record<string, unknown>, { list, model }: Addressed): Dialect | undefined {
  const shown = frameworkOf(list, SAMPLE) ?? detectFields(body) ?? certainIn(list);
  const named = shown ?? modelDialect(model) ?? modelDialect(body['model']);
  return named ?? (isRecord(body['thinking']) ? 'anthropic-messages' : likelyIn(list));
}

type Addressed = { readonly list: readonly unknown[]; readonly model: string | undefined };

/** Fields that only one API has; one message of another shape among the list does not outweigh them. */
function detectFields(body: Record<string, unknown>): Dialect | undefined {
  // Claude's hosts have the model in the address, and in the body the version of the API.
  if (typeof body['anthropic_version'] === 'string') return 'anthropic-messages';
  const hosted = hostedBody(body);
  if (hosted !== undefined) return hosted;
  const tool: unknown = Array.isArray(body['tools']) ? body['tools'][0] : undefined;
  if (isRecord(tool) && isRecord(tool['function'])) return 'openai-chat';
  if (modelDialect(body['model']) === 'openai-chat') return undefined;
  const own = (isRecord(tool) && 'input_schema' in tool) || 'system' in body || 'stop_sequences' in body;
  return own ? 'anthropic-messages' : undefined;
}

function modelDialect(model: unknown): Dialect | undefined {
  if (typeof model !== 'string') return undefined;
  if (/claude/i.test(model)) return 'anthropic-messages';
  return /^(gpt-|o\d|chatgpt)/i.test(model) ? 'openai-chat' : undefined;
}

function detectList(list: readonly unknown[], model: string | undefined): Dialect | undefined {
  return borneOut(list, certainIn(list) ?? modelDialect(model) ?? likelyIn(list));
}

/** One entry that looks like a message does not make a history of a list whose other entries cannot be any. */
function borneOut(list: readonly unknown[], dialect: Dialect | undefined): Dialect | undefined {
  return dialect === undefined || isContradicted(list, dialect, SAMPLE) ? undefined : dialect;
}

/** The dialect of the first message that only one dialect can have. */
function certainIn(list: readonly unknown[]): Dialect | undefined {
  const certain = firstTold(list, certainDialect);
  return certain === 'openai-responses' ? itemDialect(list) : certain;
}

function likelyIn(list: readonly unknown[]): Dialect | undefined {
  return firstTold(list, likelyDialect);
}

function firstTold(
  list: readonly unknown[],
  tell: (message: Record<string, unknown>) => Dialect | undefined,
): Dialect | undefined {
  const sample = Math.min(list.length, SAMPLE);
  for (let i = 0; i < sample; i += 1) {
    const message = list[i];
    const told = isRecord(message) ? ask(tell, message) : undefined;
    if (told !== undefined) return told;
  }
  return undefined;
}

function certainDialect(message: Record<string, unknown>): Dialect | undefined {
  const { role, kind, content } = message;
  const framework = frameworkDialect(message);
  if (framework !== undefined) return framework;
  if ((kind === 'request' || kind === 'response') && 'parts' in message) return 'pydantic-ai';
  if (isContent(message)) return 'gemini';
  if (isItem(message)) return 'openai-responses';
  const hosted = hostedMessage(message);
  if (hosted !== undefined) return hosted;
  if (role === 'tool' || role === 'function') return 'openai-chat';
  if (Array.isArray(message['tool_calls']) || isRecord(message['function_call'])) return 'openai-chat';
  if (!Array.isArray(content)) return undefined;
  for (const part of content as unknown[]) {
    const type = isRecord(part) ? part['type'] : undefined;
    if (typeof type !== 'string') continue;
    if (ANTHROPIC_PARTS.has(type) || type.endsWith('_tool_result')) return 'anthropic-messages';
    if (CHAT_PARTS.has(type)) return 'openai-chat';
    // A whole answer as the API gives it; the items that have this type, too, were told by their pieces.
    if (type === 'text' && message['type'] === 'message') return 'anthropic-messages';
  }
  return undefined;
}

/** A list, or a lone content in its place. */
function isContents(contents: unknown): boolean {
  return Array.isArray(contents) || (isRecord(contents) && isContent(contents));
}

/** Parts without a type, under a role: no other format has them. */
function isContent({ role, parts, kind, content }: Record<string, unknown>): boolean {
  if (kind !== undefined || content !== undefined || parts === undefined || parts === null) return false;
  if (role !== undefined && typeof role !== 'string') return false;
  const list: unknown[] = Array.isArray(parts) ? parts : [parts];
  if (list.length === 0) return role === 'model';
  return list.every((part) => isRecord(part) && !('type' in part) && !('part_kind' in part));
}

/** Plain texts are the same in several dialects; the reading that asks least of them is taken. */
function likelyDialect({ role, content }: Record<string, unknown>): Dialect | undefined {
  if (role === 'developer') return 'openai-chat';
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  if (Array.isArray(content) && isBlockList(content as unknown[])) return 'bedrock-converse';
  return Array.isArray(content) && role !== 'system' ? 'anthropic-messages' : 'openai-chat';
}
