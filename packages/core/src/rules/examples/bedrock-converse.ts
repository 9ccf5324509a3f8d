import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { partsOf, type Said } from './content.ts';

export const text = (words: string): object => ({ text: words });
export const user = (...said: Said[]): object => ({ role: 'user', content: partsOf(said, text) });
export const say = (...said: Said[]): object => ({ role: 'assistant', content: partsOf(said, text) });
export const system = (...said: Said[]): object => ({ role: 'system', content: partsOf(said, text) });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

export const call = (id: string, tool = 'read', input: unknown = {}): object => ({
  toolUse: { toolUseId: id, name: tool, input },
});
/** A result, with further keys such as its status. */
export const result = (id: string, output: string | unknown[], more: object = {}): object => ({
  toolResult: { toolUseId: id, content: typeof output === 'string' ? [text(output)] : output, ...more },
});
/** The result that a repair inserts where none was recorded. */
export const closed = (id: string): object => result(id, RESULT_TEXTS.unknown, { status: 'error' });

export const thought = (words: string): object => ({
  reasoningContent: { reasoningText: { text: words, signature: 'c2ln' } },
});
export const cachePoint: object = { cachePoint: { type: 'default' } };
export const tool = (name: string): object => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } });
export const request = (...messages: unknown[]): object => ({ messages });
