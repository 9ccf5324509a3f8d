import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { contentOf, partsOf, type Said } from './content.ts';

/** A piece of text from the user, and one in an answer. */
export const text = (words: string): object => ({ type: 'input_text', text: words });
export const outputText = (words: string): object => ({ type: 'output_text', text: words });
export const user = (...said: Said[]): object => ({ role: 'user', content: contentOf(said, text) });
export const say = (...said: Said[]): object => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: partsOf(said, outputText),
});
/** An answer under the id that the provider gave it. */
export const answered = (id: string): object => ({ ...say('Hello'), id });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

const under = (callId: string | undefined): object => (callId === undefined ? {} : { callId });

/** Calls and results are items of their own. */
export const call = (id?: string, tool = 'read', input: object = {}): object => ({
  type: 'function_call',
  ...under(id),
  name: tool,
  status: 'completed',
  arguments: JSON.stringify(input),
});
export const result = (id: string | undefined, output: unknown): object => ({
  type: 'function_call_result',
  name: 'read',
  ...under(id),
  status: 'completed',
  output: typeof output === 'string' ? { type: 'text', text: output } : output,
});
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string): object => ({ ...result(id, RESULT_TEXTS.unknown), status: 'incomplete' });

export const shell: object = { type: 'shell_call', callId: 'c1', action: { commands: ['ls'] } };
export const shellResult = (stdout: string, stderr: string, outcome: object): object => ({
  type: 'shell_call_output',
  callId: 'c1',
  output: [{ stdout, stderr, outcome }],
});
export const patch: object = {
  type: 'apply_patch_call',
  callId: 'c1',
  operation: { type: 'delete_file', path: 'a' },
};
export const computer: object = { type: 'computer_call', callId: 'c1', action: { type: 'screenshot' } };
export const search: object = { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: {} };
export const thought = (id: string): object => ({
  type: 'reasoning',
  id,
  content: [text('A greeting.')],
  providerData: { encryptedContent: 'gAAA' },
});
export const picture: object = { type: 'input_image', image: 'https://example.com/1.png' };
export const request = (...input: unknown[]): object => ({ input });
