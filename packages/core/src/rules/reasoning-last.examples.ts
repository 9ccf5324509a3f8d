import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['bedrock-converse', 'langchain'], ({ user, say, thought }) => ({
    'stopped after the reasoning': {
      before: [user('hi'), say(thought('A greeting.'))],
      after: [user('hi'), say(`${TEXTS.reasoning}\nA greeting.`)],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, redacted, text, thought }) => ({
    'an answer after the reasoning': { clean: [user('hi'), say(thought('A greeting.'), 'Hello')] },
    'reasoning in a message of its own': {
      before: [user('hi'), say(thought('A greeting.')), say(text('Hello'))],
      after: [user('hi'), say(thought('A greeting.'), 'Hello')],
    },
    'stopped after the reasoning': {
      before: [user('hi'), say(thought('A greeting.'), redacted), user('are you there?')],
      after: [user('hi'), say(text(`${TEXTS.reasoning}\nA greeting.`)), user('are you there?')],
    },
    'redacted reasoning after an answer': {
      model: 'claude-sonnet-4-5',
      before: [user('hi'), say('Hello', redacted)],
      after: [user('hi'), say(text('Hello'))],
    },
    'nothing but redacted reasoning': {
      before: [user('hi'), say(redacted)],
      after: [user('hi')],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, userText }) => ({
    'stopped between the reasoning and the answer': {
      before: [
        userText('hi'),
        say({ type: 'reasoning', text: 'A greeting.', providerOptions: { anthropic: { signature: 'c2ln' } } }),
      ],
      after: [userText('hi'), say(`${TEXTS.reasoning}\nA greeting.`)],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ say, thought }) => ({
    'stopped between the reasoning and the answer': {
      before: [say(thought('A greeting.')), say(thought('A greeting.'), 'Hello')],
      after: [say(`${TEXTS.reasoning}\nA greeting.`), say(thought('A greeting.'), 'Hello')],
    },
  })),
];
