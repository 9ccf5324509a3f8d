import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { partsOf, type Said } from './content.ts';

const prompt = (words: string): object => ({ part_kind: 'user-prompt', content: words });
const text = (words: string): object => ({ part_kind: 'text', content: words });

export const user = (...said: Said[]): object => ({ kind: 'request', parts: partsOf(said, prompt) });
export const say = (...said: Said[]): object => ({ kind: 'response', parts: partsOf(said, text) });
export const instruction = (words: string): object => ({ part_kind: 'system-prompt', content: words });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

export const call = (id: string, tool: string | null = 'read', input: unknown = {}): object => ({
  part_kind: 'tool-call',
  tool_name: tool,
  args: input,
  tool_call_id: id,
});
export const result = (id: string, content: unknown, tool = 'read'): object => ({
  part_kind: 'tool-return',
  tool_name: tool,
  content,
  tool_call_id: id,
});
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string, tool = 'read'): object => ({
  ...result(id, RESULT_TEXTS.unknown, tool),
  outcome: 'failed',
});
export const retry = (id: string, content: string): object => ({
  ...result(id, content),
  part_kind: 'retry-prompt',
});
export const request = (...messages: unknown[]): object => ({ messages });
