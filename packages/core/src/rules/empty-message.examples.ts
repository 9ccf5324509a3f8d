import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { TEXTS } from '../model/synthetic.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';
import { chainExamples } from './examples/langchain.ts';

export const examples: readonly Example[] = [
  {
    name: 'the last answer of a stored history may be empty',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [] },
    ],
  },
  {
    name: 'an empty start that the model is to continue',
    dialect: 'anthropic-messages',
    model: 'claude-sonnet-4-5',
    clean: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: '' },
      ],
    },
  },
  {
    name: 'an empty message behind a turn that the provider paused',
    dialect: 'anthropic-messages',
    clean: {
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      messages: [
        { role: 'user', content: 'search' },
        {
          role: 'assistant',
          content: [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }],
        },
        { role: 'assistant', content: [] },
      ],
    },
  },
  {
    name: 'an empty answer in the middle',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [] },
      { role: 'user', content: 'are you there?' },
    ],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: 'are you there?' },
    ],
  },
  {
    name: 'an empty answer at the end of a request',
    dialect: 'anthropic-messages',
    before: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: '' },
      ],
    },
    after: { messages: [{ role: 'user', content: 'hi' }] },
  },
  {
    name: 'an empty message behind an answer, at the end of a request',
    dialect: 'anthropic-messages',
    before: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'assistant', content: '' },
      ],
    },
    after: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: [{ type: 'text', text: TEXTS.proceed }] },
      ],
    },
  },
  {
    name: 'a request of nothing but an empty answer',
    dialect: 'anthropic-messages',
    before: { messages: [{ role: 'assistant', content: '' }] },
    after: { messages: [{ role: 'user', content: [{ type: 'text', text: TEXTS.resumed }] }] },
  },
  {
    name: 'an answer without content or calls',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null },
    ],
    after: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'an empty list of parts',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: [] },
      { role: 'user', content: 'hi' },
    ],
    after: [{ role: 'user', content: 'hi' }],
  },
  ...converseExamples('empty-message'),
  {
    name: 'a message of results without any, which a framework leaves out by itself',
    dialect: 'ai-sdk-model',
    clean: [
      { role: 'tool', content: [] },
      { role: 'user', content: 'hi' },
    ],
  },
  {
    name: 'nothing that the framework would send',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', text: '' }] },
      { role: 'tool', content: [] },
      { role: 'user', content: [] },
      { role: 'tool', content: [] },
    ],
    after: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'a candidate stored without parts',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model' },
      { role: 'user', parts: [{ text: 'are you there?' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'user', parts: [{ text: 'are you there?' }] },
    ],
  },
  {
    name: 'an empty list of parts at the end',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [] },
    ],
    after: [{ role: 'user', parts: [{ text: 'hi' }] }],
  },
  ...itemExamples('empty-message'),
  ...agentExamples('empty-message'),
  ...mistralExamples('empty-message'),
  ...interfaceExamples('empty-message'),
  ...chatHostExamples('empty-message'),
  ...chainExamples('empty-message'),
];
