import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(
    [
      'anthropic-messages',
      'openai-chat',
      'mistral-chat',
      'gemini',
      'pydantic-ai',
      'bedrock-converse',
      'ai-sdk-model',
      'langchain',
      'openai-responses',
      'openai-agents',
    ],
    ({ user, say }) => ({
      'stopped before the answer, about to write again': {
        options: { policy: 'discard', next: 'user' },
        before: [user('one'), say('One.'), user('two')],
        after: [user('one'), say('One.')],
      },
    }),
  ),
  ...inDialects(['ai-sdk-ui'], ({ user, say }) => ({
    'stopped before the answer, about to write again': {
      options: { policy: 'discard', next: 'user' },
      before: [user('hi'), say('Hello'), user('hi')],
      after: [user('hi'), say('Hello')],
    },
  })),
];
