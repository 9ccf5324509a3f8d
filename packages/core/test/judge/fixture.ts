import type { JudgedDialect, Purpose } from './judge.ts';

/** A made-up input that is refused for one row only, beside the nearest input that is accepted. */
export interface RefusalFixture {
  readonly name: string;
  readonly row: string;
  readonly dialect: JudgedDialect;
  readonly purpose: Purpose;
  readonly model?: string;
  readonly input: unknown;
  readonly text: string;
  /** How much of the provider's text is on record: all of it, a fragment, or none (then `text` is in our words). */
  readonly known: 'whole' | 'part' | 'none';
  readonly accepted: unknown;
}

/** An input that looks wrong and is not. */
export interface AcceptedFixture {
  readonly name: string;
  readonly dialect: JudgedDialect;
  readonly purpose: Purpose;
  readonly model?: string;
  readonly input: unknown;
}

/** A row of CONTRACTS.md no judge of requests can check, and why. */
export interface UnseenRow {
  readonly row: string;
  readonly reason: string;
}

export type Part = Readonly<Record<string, unknown>>;
export type Message = Readonly<Record<string, unknown>>;

export const user = (content: unknown): Message => ({ role: 'user', content });
export const assistant = (content: unknown): Message => ({ role: 'assistant', content });
export const system = (content: unknown): Message => ({ role: 'system', content });

export const text = (value: string): Part => ({ type: 'text', text: value });
export const toolUse = (id: string, more: Part = {}): Part => ({
  type: 'tool_use',
  id,
  name: 'read',
  input: {},
  ...more,
});
export const toolResult = (id: string, more: Part = {}): Part => ({ type: 'tool_result', tool_use_id: id, ...more });
export const thinking = (signature: string): Part => ({ type: 'thinking', thinking: 'let me see', signature });
export const search = (id: string): Part => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: { query: 'q' },
});
export const found = (id: string): Part => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] });
export const image: Part = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
export const marked = (part: Part): Part => ({ ...part, cache_control: { type: 'ephemeral' } });
export const without = (part: Part, key: string): Part =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name !== key));

/** A call, then the user turn given, then an answer: the usual surroundings of a result. */
export const exchange = (calls: readonly Part[], reply: readonly Part[]): Message[] => [
  user('go'),
  assistant(calls),
  user(reply),
  assistant('done'),
];

export const READ_TOOL: Part = { name: 'read', input_schema: { type: 'object' } };
export const SEARCH_TOOL: Part = { type: 'web_search_20250305', name: 'web_search' };

/** A whole Anthropic request. */
export const request = (model: string, messages: readonly Message[], more: Part = {}): Part => ({
  model,
  max_tokens: 100,
  messages,
  ...more,
});

export const UNANSWERED = (message: number, ids: string): string =>
  `messages.${message}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. ` +
  'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';
