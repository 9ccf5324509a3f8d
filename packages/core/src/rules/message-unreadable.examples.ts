import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['mistral-chat', 'pydantic-ai', 'ai-sdk-model', 'langchain'], ({ user, added }) => ({
    'a note among the messages': {
      before: [user('hi'), { note: 'the build is red' }],
      after: [user('hi'), added(`${TEXTS.unreadable} {"note":"the build is red"}`)],
    },
  })),
  ...inDialects(['openai-chat', 'gemini', 'openai-responses'], ({ user, say, added }) => ({
    'a bare text among the messages': {
      before: [user('hi'), 'the build is red', say('Hello')],
      after: [user('hi'), added(`${TEXTS.unreadable} the build is red`), say('Hello')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, added }) => ({
    'a list of messages only': { clean: [user('hi')] },
    'a note without a role': {
      before: [user('hi'), { note: 'the build is red' }, say('Hello')],
      after: [user('hi'), added(`${TEXTS.unreadable} {"note":"the build is red"}`), say('Hello')],
    },
    'a hole in the list': {
      before: [user('hi'), null, say('Hello')],
      after: [user('hi'), say('Hello')],
    },
    'discard: the note goes': {
      options: { policy: 'discard' },
      before: [user('hi'), { note: 'the build is red' }, say('Hello')],
      after: [user('hi'), say('Hello')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, added }) => ({
    'a note without a role': {
      before: [user('hi'), say('Hello'), { note: 'the build is red' }],
      after: [user('hi'), say('Hello'), added(`${TEXTS.unreadable} {"note":"the build is red"}`)],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user, added }) => ({
    'a note among the messages': {
      before: [user('hi'), { note: 'the build is red' }],
      after: [user('hi'), added(`${TEXTS.unreadable} {"note":"the build is red"}`, 1)],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, added }) => ({
    'a message that lost its role': {
      before: [user('hi'), { type: 'message', content: 'the build is red' }],
      after: [user('hi'), added(`${TEXTS.unreadable} the build is red`)],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, added }) => ({
    'a bare text among the items': {
      before: [user('hi'), 'the build is red'],
      after: [user('hi'), added(`${TEXTS.unreadable} the build is red`)],
    },
  })),
];
