import type { Finding, Report } from '@rethread/core';

import { listKeys } from '../files/message-list.ts';

type Entry = Readonly<Record<string, unknown>>;

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Up to one entry in ten may be strange in a history that is merely broken. */
const strangeShare = 0.1;

/** What is said, or called, stands under one of these in an entry that is a message itself. */
const ownKeys = ['content', 'parts', 'tool_calls', 'call_id'] as const;

/** How another program keeps a message in an entry of its file, in words behind "its entries"; nothing for ours. */
function wrappingOf(entry: Entry): string | undefined {
  const { message, payload, data, info, type, uuid } = entry;
  if (isEntry(info) && Array.isArray(entry['parts'])) return 'describe messages under "info"';
  if (ownKeys.every((key) => entry[key] === undefined)) {
    if (isEntry(message) || typeof message === 'string') return 'wrap messages under "message"';
    if (isEntry(payload)) return 'wrap messages under "payload"';
    if (Array.isArray(entry['messages'])) return 'hold whole conversations under "messages"';
    if (isEntry(data) && typeof type === 'string' && data['content'] === undefined) return 'are events with "data"';
  }
  if (entry['role'] !== undefined && (Number.isInteger(entry['ts']) || isEntry(entry['modelInfo'])))
    return 'keep "ts" or "modelInfo" beside each message';
  const isChained = 'parentUuid' in entry || 'sessionId' in entry || typeof type === 'string';
  return typeof uuid === 'string' && isChained && entry['role'] === undefined ? 'are records with a "uuid"' : undefined;
}

function mostFrequent(names: readonly string[]): string | undefined {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => ({ name, length }));
  return counts.sort((one, other) => other.length - one.length)[0]?.name;
}

function ofEntries(list: readonly unknown[]): string | undefined {
  const entries = list.filter(isEntry);
  if (entries[0]?.['rethread'] === 'session') return 'is a session that rethread has exported; read it with import';
  const wrappings = entries.map(wrappingOf).filter((name) => name !== undefined);
  if (wrappings.length <= entries.length * strangeShare) return undefined;
  const how = mostFrequent(wrappings);
  return how === undefined ? undefined : `looks like a session file of another tool: its entries ${how}`;
}

/** What requests have beside their list, of which at least one stands in nearly all of them. */
const requestKeys: ReadonlySet<string> = new Set(
  `model modelId system systemInstruction system_instruction instructions tools toolConfig tool_config tool_choice
  max_tokens max_completion_tokens max_output_tokens temperature top_p top_k stop stop_sequences stream store n seed
  thinking reasoning reasoning_effort generationConfig generation_config inferenceConfig safetySettings metadata
  text include previous_response_id response_format anthropic_version betas user`.split(/\s+/),
);

/**
 * What a document has beside its messages, where that are two keys or more that no request has, and none that requests
 * have: then some program keeps a session in it, and nobody sends it as it is.
 */
export function keysOfItsOwn(document: unknown): string | undefined {
  if (!isEntry(document)) return undefined;
  const keys = Object.keys(document).filter((key) => !listKeys.some((name) => name === key));
  if (keys.length < 2 || keys.some((key) => requestKeys.has(key))) return undefined;
  return keys
    .slice(0, 3)
    .map((key) => JSON.stringify(key.slice(0, 40)))
    .join(', ');
}

/** What a file seems to be that is no history of ours, as a sentence about it; nothing for a history. */
export function foreignShape(value: unknown): string | undefined {
  if (Array.isArray(value)) return ofEntries(value);
  if (!isEntry(value)) return undefined;
  const list = listKeys.map((key) => value[key]).find((held) => Array.isArray(held));
  return list === undefined ? undefined : ofEntries(list as readonly unknown[]);
}

const unreadableRules: ReadonlySet<Finding['rule']> = new Set([
  'role-foreign',
  'message-unreadable',
  'content-unreadable',
]);

/** What a program of its own way writes that the named provider has no place for. */
const strangeRules: ReadonlySet<Finding['rule']> = new Set([...unreadableRules, 'extra-key', 'part-refused']);

const messagesWith = (findings: readonly Finding[], rules: ReadonlySet<Finding['rule']>): number =>
  new Set(findings.filter(({ rule }) => rules.has(rule)).map(({ at }) => at.message)).size;

/**
 * The same, told by what is found in it: one strange message is a defect, many are a sign. In a document with keys of
 * its own (`own`), fewer are enough.
 */
export function foreignContent({ findings, dialect }: Report, messages: number, own?: string): string | undefined {
  const strange = own === undefined ? 0 : messagesWith(findings, strangeRules);
  if (strange > messages * strangeShare) {
    const has = `beside its messages it has ${own}, and its messages hold what the provider does not take`;
    return `looks like a session file of another tool: ${has}`;
  }
  const unread = messagesWith(findings, unreadableRules);
  if (unread < 2 || unread * 4 <= messages) return undefined;
  const share = `${unread} of its ${messages} messages cannot be read as such`;
  return `is not a history in the dialect ${dialect ?? 'named'}: ${share}`;
}
