import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { partsOf, type Said } from './content.ts';

export const text = (words: string): object => ({ type: 'text', text: words });
export const user = (...said: Said[]): object => ({ role: 'user', content: partsOf(said, text) });
export const say = (...said: Said[]): object => ({ role: 'assistant', content: partsOf(said, text) });
export const system = (words: string): object => ({ role: 'system', content: words });
/** A user message whose content is a bare text. */
export const userText = (words: string): object => ({ role: 'user', content: words });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

export const call = (id: string, tool = 'read', input: unknown = {}): object => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: tool,
  input,
});
/** What a tool returned, as a part: a text, or an output of another type. */
export const returned = (id: string, output: Said, tool = 'read'): object => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: tool,
  output: typeof output === 'string' ? { type: 'text', value: output } : output,
});
/** A message of the parts that are in it. */
export const results = (...parts: object[]): object => ({ role: 'tool', content: parts });
export const result = (id: string, output: Said, tool = 'read'): object => results(returned(id, output, tool));
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string, tool = 'read', words: string = RESULT_TEXTS.unknown): object =>
  result(id, { type: 'error-text', value: words }, tool);

/** A question whether a call may run, and the decision. */
export const asked = (id: string, toolCallId: string): object => ({
  type: 'tool-approval-request',
  approvalId: id,
  toolCallId,
});
export const decided = (id: string, approved = true): object => ({
  type: 'tool-approval-response',
  approvalId: id,
  approved,
});
export const request = (...messages: unknown[]): object => ({ messages });
