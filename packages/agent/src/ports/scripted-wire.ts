import type { Dialect } from '@rethread/core';

/** An answer in no particular dialect. The input of a call is text, cut where the answer was. */
export type Said = {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly callId: string; readonly tool: string; readonly input: string }[];
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const assistant = (content: readonly unknown[]): readonly unknown[] =>
  content.length === 0 ? [] : [{ role: 'assistant', content }];

const WRITERS: Readonly<Partial<Record<Dialect, (said: Said) => readonly unknown[]>>> = {
  'anthropic-messages': ({ reasoning, text, calls }) =>
    assistant([
      ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature: 'c2NyaXB0ZWQ=' }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ callId, tool, input }) => ({ type: 'tool_use', id: callId, name: tool, input: parsed(input) })),
    ]),
  'openai-chat': ({ text, calls }) => {
    const made = calls.map(({ callId, tool, input }) => ({
      id: callId,
      type: 'function',
      function: { name: tool, arguments: input },
    }));
    if (text === '' && made.length === 0) return [];
    const content = text === '' ? null : text;
    return [{ role: 'assistant', content, ...(made.length === 0 ? {} : { tool_calls: made }) }];
  },
  'openai-responses': ({ text, calls }) => [
    ...(text === ''
      ? []
      : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] }]),
    ...calls.map(({ callId, tool, input }) => ({
      type: 'function_call',
      call_id: callId,
      name: tool,
      arguments: input,
    })),
  ],
  'ai-sdk-model': ({ reasoning, text, calls }) =>
    assistant([
      ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ callId, tool, input }) => ({
        type: 'tool-call',
        toolCallId: callId,
        toolName: tool,
        input: parsed(input),
      })),
    ]),
};

/** The dialects of a script. */
export const SCRIPTED_DIALECTS: readonly Dialect[] = Object.keys(WRITERS) as Dialect[];

export function writeSaid(said: Said, dialect: Dialect): readonly unknown[] {
  const write = WRITERS[dialect];
  if (write === undefined) throw new TypeError(`a script cannot use the dialect ${dialect}`);
  return write(said);
}
