import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, request, text }) => ({
    'a stored history may end so': {
      model: 'claude-sonnet-4-5',
      clean: [user('hi'), say('Hello, \n')],
    },
    'stopped after a line break': {
      model: 'claude-sonnet-4-5',
      before: request(user('hi'), say('Hello, \n')),
      after: request(user('hi'), say('Hello,')),
    },
    'stopped after a space, on a model that always continues': {
      model: 'claude-sonnet-4-5',
      profile: { prefill: 'allowed' },
      before: request(user('hi'), say(text('Hello '))),
      after: request(user('hi'), say(text('Hello'))),
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, request }) => ({
    'stopped after a line break': {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      before: request(user('hi'), say('Hello, \n')),
      after: request(user('hi'), say('Hello,')),
    },
  })),
];
