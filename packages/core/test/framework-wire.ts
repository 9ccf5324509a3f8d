/** A call and its result, with fields that a test puts anything into. */
export interface Asked {
  readonly id: unknown;
  readonly name: unknown;
  readonly input: unknown;
  readonly output: unknown;
}

/** How a framework writes a question, and a call with its result. */
interface Wire {
  readonly user: object;
  readonly pair: (asked: Asked) => object[];
  /** The key of an answer under which its calls stand; absent where each is an entry of its own. */
  readonly calls?: string;
}

const wires: Readonly<Record<string, Wire>> = {
  'ai-sdk-model': {
    user: { role: 'user', content: 'hi' },
    pair: ({ id, name, input, output }) => [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName: name, input }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] },
    ],
    calls: 'content',
  },
  'ai-sdk-ui': {
    user: { id: 'u', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    pair: ({ id, name, input, output }) => [
      {
        id: 'a',
        role: 'assistant',
        parts: [
          { type: 'dynamic-tool', toolName: name, toolCallId: id, input, state: 'output-available', output },
          { type: 'dynamic-tool', toolName: 'read', toolCallId: `${typeof id}2`, input: {}, state: 'input-available' },
        ],
      },
    ],
    calls: 'parts',
  },
  'openai-agents': {
    user: { role: 'user', content: 'hi' },
    pair: ({ id, name, input, output }) => [
      { type: 'function_call', callId: id, name, arguments: input },
      { type: 'function_call_result', name, callId: id, status: 'completed', output },
    ],
  },
  langchain: {
    user: { type: 'human', content: 'hi' },
    pair: ({ id, name, input, output }) => [
      { type: 'ai', content: '', tool_calls: [{ name, args: input, id, type: 'tool_call' }] },
      { type: 'tool', content: output, tool_call_id: id },
    ],
    calls: 'tool_calls',
  },
};

/** The words of a framework; undefined for every other dialect. */
export const frameworkWire = (dialect: string): Wire | undefined => wires[dialect];
