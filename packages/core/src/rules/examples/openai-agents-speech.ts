import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS } from '../../model/synthetic.ts';
import { readableJson } from '../../model/value.ts';

export type Told = Example extends infer E ? (E extends unknown ? Omit<E, 'dialect'> : never) : never;

export type Item = { readonly type: string; readonly [key: string]: unknown };

export const tell = (told: readonly Told[]): Example[] => told.map((each) => ({ ...each, dialect: 'openai-agents' }));

export const part = (text: string, type = 'output_text'): object => ({ type, text });
export const user = (content: unknown, more: object = {}): object => ({ role: 'user', content, ...more });

/** An answer in one piece or several; a text stands for a piece of text. */
export const answer = (...said: readonly unknown[]): object => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: said.map((each) => (typeof each === 'string' ? part(each) : each)),
});
/** An answer under the id that the provider gave it. */
export const said = (id: string): object => ({ ...answer('Hello'), id });
export const thought = (id: string): object => ({
  type: 'reasoning',
  id,
  content: [part('A greeting.', 'input_text')],
  providerData: { encryptedContent: 'gAAA' },
});
export const call = (callId: unknown, more: object = {}): object => ({
  type: 'function_call',
  ...(callId === undefined ? {} : { callId }),
  name: 'read',
  status: 'completed',
  arguments: '{}',
  ...more,
});
export const output = (callId: unknown, text: unknown = 'A', more: object = {}): object => ({
  type: 'function_call_result',
  name: 'read',
  ...(callId === undefined ? {} : { callId }),
  status: 'completed',
  output: typeof text === 'string' ? { type: 'text', text } : text,
  ...more,
});
/** The result that stands in where none was recorded. */
export const closed = (id: string): object => output(id, RESULT_TEXTS.unknown, { status: 'incomplete' });
/** An item as text of the assistant. */
export const quote = (item: Item): object => answer(`[${item.type}] ${readableJson(item)}`);
