import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, system, added }) => ({
    'a model that takes it': {
      model: 'claude-opus-4-8',
      clean: [user('hi'), system('Be brief.'), say('Hi.')],
    },
    'a model that does not': {
      model: 'claude-sonnet-5',
      before: [user('hi'), system('Be brief.'), say('Hi.')],
      after: [user('hi'), added(`${TEXTS.system} Be brief.`), say('Hi.')],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, system, added }) => ({
    'a template that takes it at the beginning': {
      model: 'qwen3.6',
      before: [system('Be kind.'), user('hi'), system('Be brief.'), say('Hi.')],
      after: [system('Be kind.'), user('hi'), added(`${TEXTS.system} Be brief.`), say('Hi.')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, system, added }) => ({
    'a reminder in the middle': {
      before: [user('hi'), system('Be brief.'), say('Hi.')],
      after: [user('hi'), added(`${TEXTS.system} Be brief.`), say('Hi.')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, system, added }) => ({
    'a reminder': {
      before: [user('hi'), say('Hello'), system('Be brief.')],
      after: [user('hi'), say('Hello'), added(`${TEXTS.system} Be brief.`)],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ system, added, userText }) => ({
    'a framework that takes instructions elsewhere': {
      before: [userText('hi'), system('Be brief.')],
      after: [userText('hi'), added(`${TEXTS.system} Be brief.`)],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user, system, added }) => ({
    'a system message inside': {
      before: [user('hi'), system('Be brief.')],
      after: [user('hi'), added(`${TEXTS.system} Be brief.`, 1)],
    },
  })),
  ...inDialects(['langchain'], ({ user, say, system, added }) => ({
    'a reminder in the middle': {
      before: [user('hi'), system('Be brief.'), say('Hello')],
      after: [user('hi'), added(`${TEXTS.system} Be brief.`), say('Hello')],
    },
  })),
];
