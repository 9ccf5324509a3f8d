import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

/** Three calls that need approval: nobody decided on the first, the second was refused and the third approved. */
function approvals(results: readonly unknown[]): unknown[] {
  const ids = ['c1', 'c2', 'c3'];
  const decided = (approvalId: string, approved: boolean): object => ({
    type: 'tool-approval-response',
    approvalId,
    approved,
  });
  return [
    {
      role: 'assistant',
      content: ids.flatMap((toolCallId) => [
        { type: 'tool-call', toolCallId, toolName: 'rm', input: {} },
        { type: 'tool-approval-request', approvalId: `ask ${toolCallId}`, toolCallId },
      ]),
    },
    ...results,
    { role: 'tool', content: [decided('ask c2', false), decided('ask c3', true)] },
    { role: 'user', content: 'never mind' },
  ];
}

function closedSdk(toolCallId: string, value: string): object {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId, toolName: 'rm', output: { type: 'error-text', value } }],
  };
}

function contentCall(path: string): object {
  return { functionCall: { name: 'read', args: { path } } };
}

export const examples: readonly Example[] = [
  {
    name: 'every call answered',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
  },
  {
    name: 'killed between call and result, then the user wrote again',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      { role: 'user', content: 'are you there?' },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT_TEXTS.unknown, is_error: true },
          { type: 'text', text: 'are you there?' },
        ],
      },
    ],
  },
  {
    name: 'two of three parallel calls answered',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'read a, b and c' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'call_b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
          { id: 'call_c', type: 'function', function: { name: 'read', arguments: '{"path":"c"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_c', content: 'C' },
      { role: 'tool', tool_call_id: 'call_a', content: 'A' },
    ],
    after: [
      { role: 'user', content: 'read a, b and c' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
          { id: 'call_b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
          { id: 'call_c', type: 'function', function: { name: 'read', arguments: '{"path":"c"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_c', content: 'C' },
      { role: 'tool', tool_call_id: 'call_a', content: 'A' },
      { role: 'tool', tool_call_id: 'call_b', content: RESULT_TEXTS.unknown },
    ],
  },
  {
    name: 'discard: the call goes, the text before it stays',
    dialect: 'anthropic-messages',
    options: { policy: 'discard' },
    before: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }] },
    ],
  },
  {
    name: 'killed between call and return, then the user wrote again',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: {}, tool_call_id: 'c1' }] },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'are you there?' }] },
    ],
    after: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: {}, tool_call_id: 'c1' }] },
      {
        kind: 'request',
        parts: [
          {
            part_kind: 'tool-return',
            tool_name: 'ls',
            content: RESULT_TEXTS.unknown,
            tool_call_id: 'c1',
            outcome: 'failed',
          },
          { part_kind: 'user-prompt', content: 'are you there?' },
        ],
      },
    ],
  },
  ...converseExamples('call-without-result'),
  ...inTongues(({ user, say, closed }) => ({
    name: 'killed between call and result, then the user wrote again, in the messages of a framework',
    before: [...say('', 'c1'), ...user('are you there?')],
    after: [...say('', 'c1'), ...closed('c1'), ...user('are you there?')],
  })),
  {
    name: 'calls that a person was asked about, before the user went on',
    dialect: 'ai-sdk-model',
    before: approvals([]),
    after: approvals([
      closedSdk('c1', RESULT_TEXTS['not-started']),
      closedSdk('c2', RESULT_TEXTS.denied),
      closedSdk('c3', RESULT_TEXTS.unknown),
    ]),
  },
  {
    name: 'killed between call and result, then the user wrote again',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ text: 'are you there?' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'ls', response: { error: RESULT_TEXTS.unknown } } },
          { text: 'are you there?' },
        ],
      },
    ],
  },
  {
    name: 'one of two calls of one name answered',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'read a and b' }] },
      { role: 'model', parts: [contentCall('a'), contentCall('b')] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { result: 'A' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'read a and b' }] },
      { role: 'model', parts: [contentCall('a'), contentCall('b')] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'read', response: { result: 'A' } } },
          { functionResponse: { name: 'read', response: { error: RESULT_TEXTS.unknown } } },
        ],
      },
    ],
  },
  ...itemExamples('call-without-result'),
  ...agentExamples('call-without-result'),
  ...mistralExamples('call-without-result'),
  ...interfaceExamples('call-without-result'),
  ...chainExamples('call-without-result'),
];
