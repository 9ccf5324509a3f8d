import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

export const examples: readonly Example[] = [
  {
    name: 'stopped before the answer, about to write again',
    dialect: 'openai-chat',
    options: { policy: 'discard', next: 'user' },
    before: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'two' },
    ],
    after: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'One.' },
    ],
  },
  {
    name: 'stopped before the answer, about to write again',
    dialect: 'anthropic-messages',
    options: { policy: 'discard', next: 'user' },
    before: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'two' },
    ],
    after: [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'One.' },
    ],
  },
  {
    name: 'stopped before the answer, about to write again',
    dialect: 'pydantic-ai',
    options: { policy: 'discard', next: 'user' },
    before: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'one' }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'One.' }] },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'two' }] },
    ],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'one' }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'One.' }] },
    ],
  },
  ...converseExamples('trailing-request'),
  ...inTongues(({ user, say }) => ({
    name: 'stopped before the answer, about to write again, in the messages of a framework',
    options: { policy: 'discard', next: 'user' },
    before: [...user('one'), ...say('One.'), ...user('two')],
    after: [...user('one'), ...say('One.')],
  })),
  {
    name: 'stopped before the answer, about to write again',
    dialect: 'gemini',
    options: { policy: 'discard', next: 'user' },
    before: [
      { role: 'user', parts: [{ text: 'one' }] },
      { role: 'model', parts: [{ text: 'One.' }] },
      { role: 'user', parts: [{ text: 'two' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'one' }] },
      { role: 'model', parts: [{ text: 'One.' }] },
    ],
  },
  ...itemExamples('trailing-request'),
  ...agentExamples('trailing-request'),
  ...mistralExamples('trailing-request'),
  ...interfaceExamples('trailing-request'),
];
