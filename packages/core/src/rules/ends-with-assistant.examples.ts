import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(
    ['anthropic-messages', 'mistral-chat', 'gemini', 'pydantic-ai', 'bedrock-converse', 'langchain'],
    ({ user, say, added, request }) => ({
      'resumed in the middle of an answer': {
        before: request(user('hi'), say('Hello, I')),
        after: request(user('hi'), say('Hello, I'), added(TEXTS.proceed)),
      },
    }),
  ),
  ...inDialects(['anthropic-messages'], ({ user, say }) => ({
    'a stored history may end so': { clean: [user('hi'), say('Hello')] },
  })),
  ...inDialects(['openai-chat'], ({ user, say, added, request }) => ({
    'a server that would continue the answer, or refuse to': {
      model: 'llama.cpp/qwen3',
      before: request(user('hi'), say('Hello'), say('I')),
      after: request(user('hi'), say('Hello'), say('I'), added(TEXTS.proceed)),
    },
    'one answer at the end, which a template that thinks cannot continue': {
      model: 'llama.cpp/qwen3',
      before: request(user('hi'), say('Hello')),
      after: request(user('hi'), say('Hello'), added(TEXTS.proceed)),
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, added, request }) => ({
    'an answer to be continued': { clean: request(user('hi'), { ...say('Hello, I'), prefix: true }) },
    'an answer to be continued and nothing before it': {
      before: request({ ...say('Hello'), prefix: true }),
      after: request({ ...say('Hello'), prefix: false }, added(TEXTS.proceed)),
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ added, request }) => ({
    'a model that continues its own words': {
      model: 'gpt-5',
      clean: request({ role: 'assistant', content: 'Hello, I' }),
    },
    'resumed in the middle of an answer': {
      before: request({ role: 'assistant', content: 'Hello, I' }),
      after: request({ role: 'assistant', content: 'Hello, I' }, added(TEXTS.proceed)),
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user, say, added, done, request, step, text }) => ({
    'a call and its result end it': { clean: request(user('hi'), say('Let me see.', done('c1'))) },
    'what the user put in while the model was answering ends it': {
      clean: request(user('hi'), say('Hello', { type: 'steering-message', id: 's1', parts: [text('stop')] })),
    },
    'an answer that has not begun': { clean: request(user('hi'), say(step)) },
    'resumed in the middle of an answer': {
      before: request(user('hi'), say(done('c1'), step, 'Hello, I')),
      after: request(user('hi'), say(done('c1'), step, 'Hello, I'), added(TEXTS.proceed)),
    },
    'nothing that a model would be shown': {
      before: request(say(step)),
      after: request(say(step), added(TEXTS.proceed)),
    },
  })),
];
