import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { contentOf, type Said } from './content.ts';

export const text = (words: string): object => ({ type: 'text', text: words });
export const user = (...said: Said[]): object => ({ role: 'user', content: contentOf(said, text) });
export const say = (...said: Said[]): object => ({ role: 'assistant', content: contentOf(said, text) });
export const system = (...said: Said[]): object => ({ role: 'system', content: contentOf(said, text) });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(text(words));

export const call = (id: string, tool = 'read', input: unknown = {}): object => ({
  type: 'tool_use',
  id,
  name: tool,
  input,
});
export const result = (id: string, content?: unknown): object => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content === undefined ? {} : { content }),
});
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string): object => ({ ...result(id, RESULT_TEXTS.unknown), is_error: true });

/** A search that the provider runs itself. */
export const search = (id: string): object => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: { query: 'x' },
});
export const found = (id: string, ...pages: object[]): object => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: pages,
});

export const thought = (words: string): object => ({ type: 'thinking', thinking: words, signature: 'c2ln' });
export const redacted: object = { type: 'redacted_thinking', data: 'ZGF0YQ' };
export const image: object = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
export const tool = (name: string): object => ({ name, input_schema: { type: 'object' } });
/** A text and a tool with a cache marker. */
export const marked = (words: string): object => ({ ...text(words), cache_control: { type: 'ephemeral' } });
export const markedTool = (name: string): object => ({ ...tool(name), cache_control: { type: 'ephemeral' } });
export const request = (...messages: unknown[]): object => ({ messages });
