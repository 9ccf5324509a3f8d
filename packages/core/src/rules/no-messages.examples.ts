import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
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
      'ai-sdk-ui',
      'langchain',
      'openai-responses',
      'openai-agents',
    ],
    ({ added, request }) => ({
      'an empty request': {
        before: request(),
        after: request(added(TEXTS.resumed)),
      },
    }),
  ),
  ...inDialects(['openai-responses'], ({ added, request }) => ({
    'goes on from what the provider has kept': { clean: { input: [], conversation: { id: 'conv_1' } } },
    'goes on from a prompt': { clean: { input: [], prompt: { id: 'pmpt_1' } } },
    'a bare text': { clean: { model: 'gpt-5.6', input: 'hi' } },
    'an empty text': {
      before: { input: '' },
      after: request(added(TEXTS.resumed)),
    },
  })),
  ...inDialects(['openai-agents'], () => ({
    'a bare text': { clean: { input: 'hi' } },
  })),
];
