import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';
import { chainExamples } from './examples/langchain.ts';

export const examples: readonly Example[] = [
  {
    name: 'a stored history may end so',
    dialect: 'anthropic-messages',
    clean: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'resumed in the middle of an answer',
    dialect: 'anthropic-messages',
    before: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello, I' },
      ],
    },
    after: {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello, I' },
        { role: 'user', content: [{ type: 'text', text: TEXTS.proceed }] },
      ],
    },
  },
  {
    name: 'resumed in the middle of an answer',
    dialect: 'pydantic-ai',
    before: {
      messages: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
        { kind: 'response', parts: [{ part_kind: 'text', content: 'Hello, I' }] },
      ],
    },
    after: {
      messages: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
        { kind: 'response', parts: [{ part_kind: 'text', content: 'Hello, I' }] },
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: TEXTS.proceed }] },
      ],
    },
  },
  ...converseExamples('ends-with-assistant'),
  {
    name: 'a model that continues its own words',
    dialect: 'ai-sdk-model',
    model: 'gpt-5',
    clean: { messages: [{ role: 'assistant', content: 'Hello, I' }] },
  },
  {
    name: 'resumed in the middle of an answer',
    dialect: 'ai-sdk-model',
    before: { messages: [{ role: 'assistant', content: 'Hello, I' }] },
    after: {
      messages: [
        { role: 'assistant', content: 'Hello, I' },
        { role: 'user', content: [{ type: 'text', text: TEXTS.proceed }] },
      ],
    },
  },
  {
    name: 'resumed in the middle of an answer',
    dialect: 'gemini',
    before: {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: 'Hello, I' }] },
      ],
    },
    after: {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: 'Hello, I' }] },
        { role: 'user', parts: [{ text: TEXTS.proceed }] },
      ],
    },
  },
  ...mistralExamples('ends-with-assistant'),
  ...interfaceExamples('ends-with-assistant'),
  ...chatHostExamples('ends-with-assistant'),
  ...chainExamples('ends-with-assistant'),
];
