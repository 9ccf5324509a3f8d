import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

export const examples: readonly Example[] = [
  {
    name: 'the roles of this dialect',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'a result in a message of its own',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'a.txt' },
    ],
    after: [
      { role: 'user', content: 'list the files' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
    ],
  },
  {
    name: 'a role nobody knows',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'narrator', content: 'Night falls.' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.unreadable} Night falls.` }] },
    ],
  },
  {
    name: 'discard: a known role is still replaced, an unknown one goes',
    dialect: 'anthropic-messages',
    options: { policy: 'discard' },
    before: [
      { role: 'human', content: 'hi' },
      { role: 'narrator', content: 'Night falls.' },
      { role: 'ai', content: 'Hello' },
    ],
    after: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ],
  },
  {
    name: 'the role another provider gives its model',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'model', content: 'Hello' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'a kind nobody knows',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
      { kind: 'note', content: 'Night falls.' },
    ],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: `${TEXTS.unreadable} Night falls.` }] },
    ],
  },
  ...converseExamples('role-foreign'),
  {
    name: 'a role of another format',
    dialect: 'ai-sdk-model',
    before: [{ role: 'model', content: 'Hello' }],
    after: [{ role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }],
  },
  {
    name: 'the role another provider gives its model',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'assistant', parts: [{ text: 'Hello' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'Hello' }] },
    ],
  },
  {
    name: 'a response under a role of its own',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'function', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
    ],
  },
  {
    name: 'a result in the shape of another provider',
    dialect: 'gemini',
    model: 'gemini-2.5-flash',
    before: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'ls', args: {} } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
    ],
    after: [
      { role: 'user', parts: [{ text: 'list' }] },
      { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'ls', response: { result: 'a.txt' } } }] },
    ],
  },
  ...itemExamples('role-foreign'),
  ...agentExamples('role-foreign'),
  ...mistralExamples('role-foreign'),
  ...interfaceExamples('role-foreign'),
  ...chainExamples('role-foreign'),
];
