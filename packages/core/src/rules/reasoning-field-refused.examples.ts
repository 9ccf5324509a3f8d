import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['openai-chat'], ({ user, say, call, result }) => ({
  'an answer with its reasoning': {
    model: 'deepseek-r1',
    before: [user('hi'), { ...say('Hello'), reasoning_content: 'A greeting.' }],
    after: [user('hi'), say(`${TEXTS.thought}\nA greeting.`, 'Hello')],
  },
  'reasoning and no word': {
    model: 'deepseek-r1',
    before: [user('hi'), { ...say(), reasoning_content: 'A greeting.' }],
    after: [user('hi'), say(`${TEXTS.thought}\nA greeting.`)],
  },
  'a field in which nothing is said': {
    model: 'deepseek-r1',
    before: [user('hi'), { ...say('Hello'), reasoning_content: '' }],
    after: [user('hi'), say('Hello')],
  },
  'a provider that has another name for it': {
    model: 'groq/llama-3.3-70b-versatile',
    before: [
      user('list'),
      { ...say('Sure.'), reasoning_content: 'A list.', tool_calls: [call('call_1', 'ls')] },
      result('call_1', 'a.txt'),
    ],
    after: [user('list'), { ...say('Sure.', call('call_1', 'ls')), reasoning: 'A list.' }, result('call_1', 'a.txt')],
  },
  'reasoning alone, to a provider that has another name for it': {
    model: 'groq/llama-3.3-70b-versatile',
    before: [user('why?'), { ...say(), reasoning_content: 'Let me think.' }],
    after: [user('why?'), { ...say(''), reasoning: 'Let me think.' }],
  },
  'reasoning under both names': {
    model: 'groq/llama-3.3-70b-versatile',
    before: [
      user('hi'),
      { ...say('Hello'), reasoning_content: 'A greeting.', reasoning: 'A greeting.' },
      user('hi?'),
      { ...say('Hello'), reasoning_content: 'Again.', reasoning: 'A greeting.' },
    ],
    after: [
      user('hi'),
      { ...say('Hello'), reasoning: 'A greeting.' },
      user('hi?'),
      { ...say(`${TEXTS.thought}\nAgain.\nHello`), reasoning: 'A greeting.' },
    ],
  },
  'an answer alone': {
    model: 'deepseek-r1',
    clean: [user('hi'), say('Hello')],
  },
}));
