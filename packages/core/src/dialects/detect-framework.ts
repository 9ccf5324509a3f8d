import { ask } from '../model/read-safely.ts';
import { isRecord } from '../model/value.ts';
import { isAgentItem } from './detect-items.ts';
import type { Dialect } from '../model/dialect.ts';

type Wire = Record<string, unknown>;

/** Parts that only the AI SDK's model messages have under these names. */
const MODEL_PARTS: ReadonlySet<unknown> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning-file',
]);

/** Tells the messages of a framework, held in memory or stored by it; undefined for all others. */
export function frameworkDialect(message: Wire): Dialect | undefined {
  if (isInterfaceMessage(message)) return 'ai-sdk-ui';
  if (isModelMessage(message)) return 'ai-sdk-model';
  if (isChainMessage(message)) return 'langchain';
  if (isAgentItem(message)) return 'openai-agents';
  return undefined;
}

/** The dialect of the first message in a list that shows its framework. */
export function frameworkOf(list: readonly unknown[], sample: number): Dialect | undefined {
  for (let i = 0; i < list.length && i < sample; i += 1) {
    const message = list[i];
    const dialect = isRecord(message) ? ask(frameworkDialect, message) : undefined;
    if (dialect !== undefined) return dialect;
  }
  return undefined;
}

const CHAIN_TYPES: ReadonlySet<unknown> = new Set(['human', 'ai', 'system', 'tool', 'function', 'generic', 'remove']);

/** Objects that tell their type when asked, what they are serialised to, and plain ones with a type and no role. */
function isChainMessage(message: Wire): boolean {
  const { lc, id, kwargs, type, role, content, data } = message;
  if (typeof message['_getType'] === 'function' || typeof message['getType'] === 'function') return true;
  if (lc === 1 && Array.isArray(id) && isRecord(kwargs)) return String(id.at(-1)).includes('Message');
  if (role !== undefined || (content === undefined && !isRecord(data))) return false;
  return isChainType(type);
}

/** True for what a message of LangChain says of itself. */
export function isChainType(type: unknown): boolean {
  return CHAIN_TYPES.has(type) || (typeof type === 'string' && type.endsWith('MessageChunk'));
}

/**
 * Parts with a type, or none under an id; every other format with `parts` names their kind otherwise. Before there were
 * parts, calls stood beside the text under a name of their own.
 */
function isInterfaceMessage({ role, kind, parts, id, toolInvocations }: Wire): boolean {
  if (typeof role !== 'string' || kind !== undefined) return false;
  if (!Array.isArray(parts)) return Array.isArray(toolInvocations) && toolInvocations.length > 0;
  if (parts.length === 0) return typeof id === 'string';
  return parts.some((part) => isRecord(part) && typeof part['type'] === 'string');
}

function isModelMessage({ role, content, providerOptions }: Wire): boolean {
  if (typeof role !== 'string') return false;
  if (providerOptions !== undefined) return true;
  return Array.isArray(content) && content.some(isModelPart);
}

function isModelPart(part: unknown): boolean {
  if (!isRecord(part)) return false;
  const { type } = part;
  if (MODEL_PARTS.has(type) || part['providerOptions'] !== undefined) return true;
  if (type === 'image') return part['image'] !== undefined;
  if (type === 'file') return typeof part['mediaType'] === 'string';
  return type === 'reasoning' && typeof part['text'] === 'string';
}
