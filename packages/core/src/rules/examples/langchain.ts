import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { contentOf, type Said } from './content.ts';

const isCall = (said: Said): boolean => typeof said === 'object' && 'type' in said && said.type === 'tool_call';

export const text = (words: string): object => ({ type: 'text', text: words });
export const user = (...said: Said[]): object => ({ type: 'human', content: contentOf(said, text) });
/** Calls stand beside the content, which is empty where nothing is said. */
export const say = (...said: Said[]): object => {
  const words = said.filter((each) => !isCall(each));
  return { type: 'ai', content: words.length === 0 ? '' : contentOf(words, text), tool_calls: said.filter(isCall) };
};
export const system = (...said: Said[]): object => ({ type: 'system', content: contentOf(said, text) });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

export const call = (id: string, tool = 'read', input: unknown = {}): object => ({
  name: tool,
  args: input,
  id,
  type: 'tool_call',
});
export const result = (id: string, content: unknown): object => ({
  type: 'tool',
  content,
  tool_call_id: id,
  name: 'read',
});
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string): object => ({ ...result(id, RESULT_TEXTS.unknown), status: 'error' });

/** A call as Anthropic writes it into the content, and as OpenAI writes it beside the content. */
export const anthropicCall = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: { path: 'a' } });
export const openaiCall = (id: string): object => ({
  id,
  type: 'function',
  function: { name: 'read', arguments: '{"path":"a"}' },
});
/** A call whose arguments were cut, as the framework keeps it, and as it can be sent. */
export const invalidCall = (id: string): object => ({
  ...call(id, 'read', '{"path'),
  type: 'invalid_tool_call',
  error: 'cut',
});
export const repairedCall = (id: string): object => call(id, 'read', { INVALID_JSON: '{"path' });
export const thought = (words: string): object => ({ type: 'thinking', thinking: words, signature: 'c2ln' });
export const request = (...messages: unknown[]): object => ({ messages });
