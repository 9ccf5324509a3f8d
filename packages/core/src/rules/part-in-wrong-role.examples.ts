import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';

const sdkCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} };

const sdkResult = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'A' } };

function searched(): unknown[] {
  return [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'calls by the assistant, results by the user',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
  },
  {
    name: 'a call, its result and the answer stored as one message',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
          { type: 'text', text: 'One file.' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'One file.' }] },
    ],
  },
  {
    name: 'a search of the provider stored with the question',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: [{ type: 'text', text: 'search' }, ...searched()] },
      { role: 'assistant', content: 'Found it.' },
    ],
    after: [
      { role: 'user', content: [{ type: 'text', text: 'search' }] },
      { role: 'assistant', content: searched() },
      { role: 'assistant', content: 'Found it.' },
    ],
  },
  {
    name: 'an image in a system message',
    dialect: 'anthropic-messages',
    model: 'claude-opus-4-8',
    before: [
      { role: 'user', content: 'hi' },
      {
        role: 'system',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'text', text: 'This is how it looks.' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'hi' },
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      },
      { role: 'system', content: [{ type: 'text', text: 'This is how it looks.' }] },
    ],
  },
  {
    name: 'a return stored in the response that made the call',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'list the files' }] },
      {
        kind: 'response',
        parts: [
          { part_kind: 'tool-call', tool_name: 'ls', args: '{}', tool_call_id: 'call_1' },
          { part_kind: 'tool-return', tool_name: 'ls', content: 'a.txt', tool_call_id: 'call_1' },
        ],
      },
    ],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'list the files' }] },
      {
        kind: 'response',
        parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: '{}', tool_call_id: 'call_1' }],
      },
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'ls', content: 'a.txt', tool_call_id: 'call_1' }],
      },
    ],
  },
  ...converseExamples('part-in-wrong-role'),
  {
    name: 'a result stored in the answer that made the call, and a remark among results',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [sdkCall, sdkResult, { type: 'text', text: 'Done.' }] },
      { role: 'assistant', content: [sdkCall] },
      { role: 'tool', content: [{ type: 'text', text: 'slow today' }, sdkResult] },
    ],
    after: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [sdkCall] },
      { role: 'tool', content: [sdkResult] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
      { role: 'assistant', content: [sdkCall] },
      { role: 'tool', content: [sdkResult] },
      { role: 'user', content: [{ type: 'text', text: 'slow today' }] },
    ],
  },
  {
    name: 'a result stored in the message that made the call',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'ls', args: {} } },
          { functionResponse: { name: 'ls', response: { result: 'a.txt' } } },
        ],
      },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
  },
  {
    name: 'a call in the mouth of the user',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }, { functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
  },
  {
    name: 'a picture in a system message',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'system',
        parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
      },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
    ],
  },
];
