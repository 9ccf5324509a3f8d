import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, thought }) => ({
    'reasoning between parts, on a model that takes it': {
      model: 'claude-sonnet-4-5',
      clean: [user('hi'), say('Let me see.', thought('A greeting.'), 'Hello')],
    },
    'reasoning after a text': {
      model: 'claude-3-7-sonnet-20250219',
      before: [user('hi'), say('Let me see.', thought('A greeting.'), 'Hello')],
      after: [user('hi'), say(thought('A greeting.'), 'Let me see.', 'Hello')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, thought }) => ({
    'reasoning after an answer': {
      model: 'us.anthropic.claude-3-7-sonnet-20250219-v1:0',
      before: [user('hi'), say('Well.', thought('A greeting.'), 'Hello')],
      after: [user('hi'), say(thought('A greeting.'), 'Well.', 'Hello')],
    },
  })),
];
