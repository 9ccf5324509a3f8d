import type { Flaw } from '../files/parse-line.ts';
import { charactersOf, isObject, listAt, objectAt, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';

const TYPES: ReadonlySet<string> = new Set(
  `session message model_change thinking_level_change compaction branch_summary custom custom_message label session_info
  context_edit`.split(/\s+/),
);

export const isKnownType = (type: string): boolean => TYPES.has(type);

/** Whether an object is an entry of a session file, and not a part of one that was torn. */
export const isRecord = (value: JsonObject): boolean =>
  TYPES.has(textAt(value, 'type') ?? '') || (textAt(value, 'id') !== undefined && Object.hasOwn(value, 'parentId'));

export const isHeader = (value: JsonObject | undefined): boolean =>
  value !== undefined && value['type'] === 'session' && textAt(value, 'id') !== undefined;

/** pi trims a file and parses it line by line: what is not plain JSON it skips. Bytes that are not UTF-8 do no harm. */
export const isSkipped = (flaws: readonly Flaw[], place: Place): boolean =>
  flaws.some(
    (flaw) => flaw === 'glued' || flaw === 'nul' || (flaw === 'bom' && place.kind === 'line' && place.line > 1),
  );

/** A message as pi keeps it: a role, a content, and for answers the API, the provider and the model. */
export type AgentMessage = JsonObject;

/** The messages that an entry puts into the context, before they are made messages of an API. */
export function messagesOf(entry: JsonObject): readonly AgentMessage[] {
  switch (textAt(entry, 'type')) {
    case 'message': {
      const message = objectAt(entry, 'message');
      return message === undefined ? [] : [message];
    }
    case 'custom_message':
      return [{ role: 'custom', content: entry['content'] }];
    case 'branch_summary':
      return summaryMessage(textAt(entry, 'summary'));
    default:
      return [];
  }
}

/** A compaction may carry the messages that it kept; older ones name the first entry that they keep. */
export const retainedTail = (entry: JsonObject): readonly AgentMessage[] | undefined =>
  Array.isArray(entry['retainedTail']) ? listAt(entry, 'retainedTail').filter(isObject) : undefined;

export const summaryMessage = (summary: string | undefined): readonly AgentMessage[] =>
  summary ? [{ role: 'user', content: `<summary>\n${summary}\n</summary>` }] : [];

/** A message that a provider is sent in the role of a user, an assistant or a tool; undefined for one that is not. */
export function sendable(message: AgentMessage): AgentMessage | undefined {
  switch (textAt(message, 'role')) {
    case 'user':
    case 'assistant':
    case 'toolResult':
      return message;
    case 'custom':
    case 'hookMessage':
      return { role: 'user', content: message['content'] };
    case 'bashExecution':
      return message['excludeFromContext'] === true ? undefined : { role: 'user', content: bashText(message) };
    default:
      return undefined;
  }
}

function bashText(message: AgentMessage): string {
  const output = textAt(message, 'output');
  return `Ran \`${textAt(message, 'command') ?? ''}\`\n${output ? `\`\`\`\n${output}\n\`\`\`` : '(no output)'}`;
}

/** An answer that ended in an error, or was aborted: pi leaves it out of every request. */
export const isFailed = (message: AgentMessage): boolean =>
  message['role'] === 'assistant' && (message['stopReason'] === 'error' || message['stopReason'] === 'aborted');

/** The system prompt, which is a message of its own since 0.80: texts in an order. */
export function systemText(message: AgentMessage): string | undefined {
  if (message['role'] !== 'system') return undefined;
  const sections = Object.values(objectAt(message, 'sections') ?? {}).filter((text) => typeof text === 'string');
  return sections.length > 0 ? sections.join('\n\n') : textAt(message, 'content');
}

export const textOfContent = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : (Array.isArray(content) ? content : []).map((block) => textAt(block, 'text') ?? '').join('');

export const charactersIn = (messages: readonly AgentMessage[]): number =>
  messages.reduce((sum, { content }) => sum + charactersOf(content), 0);
