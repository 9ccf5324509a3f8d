import type { Example } from '../../model/rule.ts';
import { RESULT_TEXTS } from '../../model/synthetic.ts';

type Shown = { [K in keyof Example]?: Example[K] } & {
  readonly clean?: unknown;
  readonly before?: unknown;
  readonly after?: unknown;
};

export const show = (name: string, shown: Shown): Example =>
  ({ name, dialect: 'openai-responses', ...shown }) as Example;

export const user = (content: unknown): object => ({ role: 'user', content });
export const answer = (content: unknown): object => ({ role: 'assistant', content });

/** An answer under the id that the provider gave it. */
export const said = (id: string): object => ({ type: 'message', role: 'assistant', id, content: 'Hello' });
export const thought = (id: string, text = 'A greeting.', more: object = {}): object => ({
  type: 'reasoning',
  id,
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
  encrypted_content: 'gAAA',
  ...more,
});

export const call = (id: unknown, more: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...more,
});
export const custom = (id: string, more: object = {}): object => ({
  type: 'custom_tool_call',
  call_id: id,
  name: 'sh',
  input: 'ls',
  ...more,
});
export const output = (id: unknown, text: unknown = 'A'): object => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
});
/** The output that stands in where none was recorded. */
export const closed = (id: string, type = 'function_call_output'): object => ({
  type,
  call_id: id,
  output: RESULT_TEXTS.unknown,
});

/** A question, a call and its output. */
export const pair = (id: string, more: object = {}): unknown[] => [user('read a'), call(id, more), output(id)];
