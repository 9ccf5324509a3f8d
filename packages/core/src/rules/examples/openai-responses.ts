import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { contentOf, type Said } from './content.ts';

export const text = (words: string, type = 'input_text'): object => ({ type, text: words });
export const user = (...said: Said[]): object => ({ role: 'user', content: contentOf(said, text) });
export const say = (...said: Said[]): object => ({ role: 'assistant', content: contentOf(said, text) });
/** A piece of text in an answer. */
export const outputText = (words: string): object => text(words, 'output_text');
/** An answer under the id that the provider gave it; without one its id was removed. */
export const answered = (id?: string): object => ({
  type: 'message',
  role: 'assistant',
  ...(id === undefined ? {} : { id }),
  content: 'Hello',
});
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

/** Calls and results are items of their own. */
export const call = (id: unknown, tool = 'read', input: string | object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: tool,
  arguments: typeof input === 'string' ? input : JSON.stringify(input),
});
export const result = (id: unknown, output: unknown): object => ({ type: 'function_call_output', call_id: id, output });
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string): object => result(id, RESULT_TEXTS.unknown);

export const custom = (id: string): object => ({ type: 'custom_tool_call', call_id: id, name: 'sh', input: 'ls' });
export const customResult = (id: string, output: string = RESULT_TEXTS.unknown): object => ({
  type: 'custom_tool_call_output',
  call_id: id,
  output,
});
export const thought = (id: string, words = 'A greeting.'): object => ({
  type: 'reasoning',
  id,
  summary: words === '' ? [] : [text(words, 'summary_text')],
  encrypted_content: 'gAAA',
});
export const reference = (id: string): object => ({ type: 'item_reference', id });
export const picture: object = { type: 'input_image', image_url: 'https://example.com/1.png' };
export const request = (...input: unknown[]): object => ({ input });
