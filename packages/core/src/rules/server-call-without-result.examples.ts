import type { Example } from '../model/rule.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

const sdkSearch = { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: {}, providerExecuted: true };

function sdkFound(toolCallId: string): object {
  return { type: 'tool-result', toolCallId, toolName: 'search', output: { type: 'json', value: [] } };
}

export const examples: readonly Example[] = [
  {
    name: 'a paused turn may be sent back as it is',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'search' },
      {
        role: 'assistant',
        content: [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }],
      },
    ],
  },
  {
    name: 'the user wrote while the turn was paused',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'search' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Searching.' },
          { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
        ],
      },
      { role: 'user', content: 'never mind' },
    ],
    after: [
      { role: 'user', content: 'search' },
      { role: 'assistant', content: [{ type: 'text', text: 'Searching.' }] },
      { role: 'user', content: 'never mind' },
    ],
  },
  {
    name: 'a built-in tool was cut off',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'search' }] },
      {
        kind: 'response',
        parts: [
          { part_kind: 'text', content: 'Searching.' },
          { part_kind: 'builtin-tool-call', tool_name: 'web_search', args: {}, tool_call_id: 'b1' },
        ],
      },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'never mind' }] },
    ],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'search' }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'Searching.' }] },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'never mind' }] },
    ],
  },
  {
    name: 'the provider answered in a later message',
    dialect: 'ai-sdk-model',
    clean: [
      { role: 'assistant', content: [sdkSearch, { ...sdkSearch, toolCallId: 'c1', providerExecuted: false }] },
      { role: 'tool', content: [sdkFound('c1')] },
      { role: 'assistant', content: [sdkFound('s1')] },
      { role: 'user', content: 'thanks' },
    ],
  },
  {
    name: 'a call that a person was asked about',
    dialect: 'ai-sdk-model',
    clean: [
      {
        role: 'assistant',
        content: [sdkSearch, { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 's1' }],
      },
      { role: 'user', content: 'no' },
    ],
  },
  {
    name: 'the user wrote while the provider was searching',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'assistant', content: [{ type: 'text', text: 'Searching.' }, sdkSearch] },
      { role: 'user', content: 'never mind' },
    ],
    after: [
      { role: 'assistant', content: [{ type: 'text', text: 'Searching.' }] },
      { role: 'user', content: 'never mind' },
    ],
  },
  ...interfaceExamples('server-call-without-result'),
];
