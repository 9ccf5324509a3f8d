import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages', 'bedrock-converse'], ({ user, say, added }) => ({
    'the agent greets first': {
      before: [say('Hello!'), user('hi')],
      after: [added(TEXTS.resumed), say('Hello!'), user('hi')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say }) => ({
    'newer models take it': {
      model: 'claude-sonnet-4-5',
      clean: [say('Hello!'), user('hi')],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, system, added }) => ({
    'a template that begins with the user': {
      model: 'llama-2-13b-chat',
      before: [system('Be brief.'), say('Hello!'), user('hi')],
      after: [system('Be brief.'), added(TEXTS.resumed), say('Hello!'), user('hi')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say }) => ({
    'a family that takes it': {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      clean: [say('Hello!'), user('hi')],
    },
  })),
];
