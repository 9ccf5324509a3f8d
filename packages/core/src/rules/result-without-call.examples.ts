import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { chainExamples } from './examples/langchain.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';

function sdkResult(toolCallId: string, value: string): object {
  return { type: 'tool-result', toolCallId, toolName: 'read', output: { type: 'text', value } };
}

export const examples: readonly Example[] = [
  {
    name: 'front of the history cut away',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_9', content: 'a.txt' }] },
      { role: 'assistant', content: 'One file.' },
    ],
    after: [
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.orphan} a.txt` }] },
      { role: 'assistant', content: 'One file.' },
    ],
  },
  {
    name: 'front of the history cut away',
    dialect: 'openai-chat',
    before: [
      { role: 'tool', tool_call_id: 'call_9', content: 'a.txt' },
      { role: 'assistant', content: 'One file.' },
    ],
    after: [
      { role: 'user', content: `${TEXTS.orphan} a.txt` },
      { role: 'assistant', content: 'One file.' },
    ],
  },
  {
    name: 'discard: the result goes',
    dialect: 'openai-chat',
    options: { policy: 'discard' },
    before: [
      { role: 'tool', tool_call_id: 'call_9', content: 'a.txt' },
      { role: 'assistant', content: 'One file.' },
    ],
    after: [{ role: 'assistant', content: 'One file.' }],
  },
  {
    name: 'front of the history cut away',
    dialect: 'pydantic-ai',
    before: [
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'ls', content: 'a.txt', tool_call_id: 'c9' }],
      },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'One file.' }] },
    ],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: `${TEXTS.orphan} a.txt` }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'One file.' }] },
    ],
  },
  ...converseExamples('result-without-call'),
  ...inTongues(({ user, say, result }) => ({
    name: 'front of the history cut away, in the messages of a framework',
    before: [...result('c9', 'a.txt'), ...say('One file.')],
    after: [...user(`${TEXTS.orphan} a.txt`), ...say('One file.')],
  })),
  {
    name: 'one of two results in a message has no call',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }] },
      { role: 'tool', content: [sdkResult('c9', 'B'), sdkResult('c1', 'A')] },
    ],
    after: [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }] },
      { role: 'tool', content: [sdkResult('c1', 'A')] },
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.orphan} B` }] },
    ],
  },
  {
    name: 'front of the history cut away',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      { role: 'model', parts: [{ text: 'One file.' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: `${TEXTS.orphan} a.txt` }] },
      { role: 'model', parts: [{ text: 'One file.' }] },
    ],
  },
  {
    name: 'more results than calls',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'ls', response: { result: 'a.txt' } } },
          { functionResponse: { name: 'cat', response: { result: 'A' } } },
        ],
      },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      {
        role: 'user',
        parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }, { text: `${TEXTS.orphan} A` }],
      },
    ],
  },
  ...chainExamples('result-without-call'),
  ...itemExamples('result-without-call'),
  ...agentExamples('result-without-call'),
  ...mistralExamples('result-without-call'),
];
