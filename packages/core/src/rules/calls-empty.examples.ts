import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-chat'], ({ user, say }) => ({
    'calls that are absent or null': {
      clean: [user('hi'), { ...say('Hello.'), tool_calls: null }, say('How are you?')],
    },
    'an answer with an empty list of calls': {
      before: [user('hi'), { ...say('Hello.'), tool_calls: [], name: 'bot' }],
      after: [user('hi'), { ...say('Hello.'), name: 'bot' }],
    },
    'a call that was stored without the list around it': {
      before: [user('hi'), { ...say('Hello.'), tool_calls: { name: 'ls' } }],
      after: [user('hi'), say('Hello.', `${TEXTS.unreadable} {"name":"ls"}`)],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say }) => ({
    'an empty list of calls is fine': { clean: [user('hi'), { ...say('Hello'), tool_calls: [] }] },
    'a call that was stored without the list around it': {
      before: [user('hi'), { ...say('Well.'), tool_calls: 'ls' }],
      after: [user('hi'), say('Well.', `${TEXTS.unreadable} ls`)],
    },
  })),
];
