import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { contentOf, type Said } from './content.ts';

const isCall = (said: Said): boolean => typeof said === 'object' && ('function' in said || 'custom' in said);

export const text = (words: string): object => ({ type: 'text', text: words });
export const user = (...said: Said[]): object => ({ role: 'user', content: contentOf(said, text) });
/** Calls stand beside the content, which is null where nothing is said. */
export const say = (...said: Said[]): { role: string; content: unknown; tool_calls?: unknown[] } => {
  const words = said.filter((each) => !isCall(each));
  const calls = said.filter(isCall);
  return {
    role: 'assistant',
    content: words.length === 0 ? null : contentOf(words, text),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
};
export const system = (...said: Said[]): object => ({ role: 'system', content: contentOf(said, text) });
export const developer = (...said: Said[]): object => ({ role: 'developer', content: contentOf(said, text) });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

/** A call whose arguments are not the string that they should be. */
export const rawCall = (id: unknown, tool: string, input: unknown): object => ({
  id,
  type: 'function',
  function: { name: tool, arguments: input },
});
export const call = (id: unknown, tool = 'read', input: string | object = {}): object =>
  rawCall(id, tool, typeof input === 'string' ? input : JSON.stringify(input));
export const custom = (id: string, tool: string, input: unknown): object => ({
  id,
  type: 'custom',
  custom: { name: tool, input },
});
export const result = (id: unknown, content: unknown): object => ({ role: 'tool', tool_call_id: id, content });
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string): object => result(id, RESULT_TEXTS.unknown);

export const picture = (url: string): object => ({ type: 'image_url', image_url: { url } });
export const tool = (name: string): object => ({ type: 'function', function: { name } });
export const request = (...messages: unknown[]): object => ({ messages });
