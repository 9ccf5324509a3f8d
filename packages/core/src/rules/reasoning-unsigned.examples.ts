import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, text, thought }) => ({
    'signed reasoning, with and without its text': {
      clean: [user('hi'), say(thought('A greeting.'), thought(''), 'Hello')],
    },
    'stopped before the signature': {
      before: [user('hi'), say({ type: 'thinking', thinking: 'A greet', signature: '' }), user('are you there?')],
      after: [user('hi'), say(text(`${TEXTS.reasoning}\nA greet`)), user('are you there?')],
    },
    'redacted reasoning that lost its data': {
      before: [user('hi'), say({ type: 'redacted_thinking' }, 'Hello')],
      after: [user('hi'), say(text('Hello'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, text }) => ({
    'stopped before the signature': {
      before: [user('hi'), say({ reasoningContent: { reasoningText: text('A greet') } }), user('well?')],
      after: [user('hi'), say(`${TEXTS.reasoning}\nA greet`), user('well?')],
    },
    'a family that signs nothing': {
      model: 'us.deepseek.r1-v1:0',
      clean: [user('hi'), say({ reasoningContent: { reasoningText: text('A greeting') } })],
    },
  })),
];
