import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user }) => ({
    'an option cut inside an emoji': {
      before: { model: 'claude-opus-4-5', max_tokens: 1, messages: [user('hi')], metadata: { run: 'smile \ud83d' } },
      after: { model: 'claude-opus-4-5', max_tokens: 1, messages: [user('hi')], metadata: { run: 'smile \ufffd' } },
    },
    'an option that JSON can carry': {
      clean: { model: 'claude-opus-4-5', max_tokens: 1, messages: [user('hi')], metadata: { run: '7' } },
    },
  })),
  ...inDialects(['openai-chat'], ({ user }) => ({
    'an option cut inside an emoji': {
      before: { model: 'gpt-4.1', messages: [user('hi')], metadata: { run: 'smile \ud83d' } },
      after: { model: 'gpt-4.1', messages: [user('hi')], metadata: { run: 'smile \ufffd' } },
    },
    'an option that JSON can carry': { clean: { model: 'gpt-4.1', messages: [user('hi')], metadata: { run: '7' } } },
  })),
  ...inDialects(['mistral-chat'], ({ user }) => ({
    'an option cut inside an emoji': {
      before: { model: 'mistral-large-latest', messages: [user('hi')], metadata: { run: 'smile \ud83d' } },
      after: { model: 'mistral-large-latest', messages: [user('hi')], metadata: { run: 'smile \ufffd' } },
    },
    'an option that JSON can carry': {
      clean: { model: 'mistral-large-latest', messages: [user('hi')], metadata: { run: '7' } },
    },
  })),
  ...inDialects(['gemini'], ({ user, text }) => ({
    'an instruction cut inside an emoji': {
      before: { systemInstruction: { parts: [text('smile \ud83d')] }, contents: [user('hi')] },
      after: { systemInstruction: { parts: [text('smile \ufffd')] }, contents: [user('hi')] },
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user }) => ({
    'an option cut inside an emoji': {
      before: { messages: [user('hi')], metadata: { run: 'smile \ud83d' } },
      after: { messages: [user('hi')], metadata: { run: 'smile \ufffd' } },
    },
    'an option that JSON can carry': { clean: { messages: [user('hi')], metadata: { run: '7' } } },
  })),
  ...inDialects(['openai-responses'], ({ user }) => ({
    'an option cut inside an emoji': {
      before: { model: 'gpt-5', input: [user('hi')], metadata: { run: 'smile \ud83d' } },
      after: { model: 'gpt-5', input: [user('hi')], metadata: { run: 'smile \ufffd' } },
    },
    'an option that JSON can carry': { clean: { model: 'gpt-5', input: [user('hi')], metadata: { run: '7' } } },
  })),
];
