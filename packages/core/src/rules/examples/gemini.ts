import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { partsOf, type Said } from './content.ts';

export const text = (words: string): object => ({ text: words });
export const user = (...said: Said[]): object => ({ role: 'user', parts: partsOf(said, text) });
export const say = (...said: Said[]): object => ({ role: 'model', parts: partsOf(said, text) });
export const system = (...said: Said[]): object => ({ role: 'system', parts: partsOf(said, text) });
/** A user message that a repair inserts. */
export const added = (words: string): object => user(words);

const named = (tool: string, id: string | undefined): object =>
  id === undefined ? { name: tool } : { id, name: tool };

/** Calls and results go by the name of the tool; only newer models give them ids. */
export const call = (tool: string, input: unknown = {}, id?: string): object => ({
  functionCall: { ...named(tool, id), args: input },
});
export const result = (tool: string, output: unknown, id?: string): object => ({
  functionResponse: { ...named(tool, id), response: { result: output } },
});
/** The result that a repair inserts where none was recorded. */
export const closed = (tool: string): object => ({
  functionResponse: { name: tool, response: { error: RESULT_TEXTS.unknown } },
});

export const signed = (part: object, signature: unknown = 'c2ln'): object => ({ ...part, thoughtSignature: signature });
export const picture: object = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
export const request = (...contents: unknown[]): object => ({ contents });
