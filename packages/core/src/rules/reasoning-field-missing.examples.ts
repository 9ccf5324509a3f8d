import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['openai-chat'], ({ user, say, request, tool }) => ({
  'thinking is switched off, or there are no tools': {
    model: 'deepseek-v4',
    clean: {
      tools: [tool('ls')],
      thinking: { type: 'disabled' },
      messages: [user('hi'), say('Hello'), user('list')],
    },
  },
  'no tools are declared': {
    model: 'deepseek-v4',
    clean: request(user('hi'), say('Hello'), user('why?')),
  },
  'an answer of another model': {
    model: 'deepseek-v4',
    before: { tools: [tool('ls')], messages: [user('hi'), say('Hello'), user('list')] },
    after: { tools: [tool('ls')], messages: [user('hi'), { ...say('Hello'), reasoning_content: '' }, user('list')] },
  },
}));
