import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-chat', 'gemini', 'bedrock-converse'], ({ user, say }) => ({
    'an empty answer': {
      before: [user('hi'), say()],
      after: [user('hi')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, added, request, search }) => ({
    'the last answer of a stored history may be empty': { clean: [user('hi'), say()] },
    'an empty start that the model is to continue': {
      model: 'claude-sonnet-4-5',
      clean: request(user('hi'), say('')),
    },
    'an empty message behind a turn that the provider paused': {
      clean: {
        tools: [{ type: 'web_search_20250305', name: 'web_search' }],
        messages: [user('search'), say({ ...search('srvtoolu_1'), input: {} }), say()],
      },
    },
    'an empty answer in the middle': {
      before: [user('hi'), say(), user('are you there?')],
      after: [user('hi'), user('are you there?')],
    },
    'an empty answer at the end of a request': {
      before: request(user('hi'), say('')),
      after: request(user('hi')),
    },
    'an empty message behind an answer, at the end of a request': {
      before: request(user('hi'), say('Hello'), say('')),
      after: request(user('hi'), say('Hello'), added(TEXTS.proceed)),
    },
    'a request of nothing but an empty answer': {
      before: request(say('')),
      after: request(added(TEXTS.resumed)),
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say }) => ({
    'an empty list of parts': {
      before: [user(), user('hi')],
      after: [user('hi')],
    },
    'an empty text to a provider that refuses it': {
      model: 'kimi-k2-0905-preview',
      before: [user('hi'), say(''), user('well?')],
      after: [user('hi'), user('well?')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'an answer of nothing': {
      before: [user('hi'), say('')],
      after: [user('hi')],
    },
    'a question of nothing': {
      before: [user('hi'), { role: 'user', content: null }, user()],
      after: [user('hi')],
    },
    'calls need no content': {
      clean: [
        user('read a'),
        { role: 'assistant', content: [], tool_calls: [call('aB3dE6gH9')] },
        result('aB3dE6gH9', 'A'),
      ],
    },
  })),
  ...inDialects(['gemini'], ({ user }) => ({
    'a candidate stored without parts': {
      before: [user('hi'), { role: 'model' }, user('are you there?')],
      after: [user('hi'), user('are you there?')],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ user, say, results, userText }) => ({
    'a message of results without any, which a framework leaves out by itself': { clean: [results(), userText('hi')] },
    'nothing that the framework would send': {
      before: [userText('hi'), say(''), results(), user(), results()],
      after: [userText('hi')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user, say, step }) => ({
    'an answer that was stopped before its first word': { clean: [user('hi'), say(step)] },
    'a message of which nothing is sent': {
      before: [user('hi'), user('')],
      after: [user('hi')],
    },
    'a message of parts that no model is shown': {
      before: [user('hi'), user({ type: 'future', about: 'what was shown' })],
      after: [user('hi'), user({ type: 'future', about: 'what was shown' }, TEXTS.separator)],
    },
  })),
  ...inDialects(['langchain'], ({ user, say }) => ({
    'a model that takes an answer without words': {
      model: 'gpt-5',
      clean: [user('hi'), say('')],
    },
    'nothing said': {
      before: [user('hi'), { type: 'ai', content: [], tool_calls: [] }, user(''), say('')],
      after: [user('hi')],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, say }) => ({
    'an empty text, and an empty list': { clean: [user(''), say()] },
    'a message without content': {
      before: [user('hi'), { role: 'assistant' }],
      after: [user('hi')],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, say }) => ({
    'an empty text': { clean: [user('')] },
    'a message without a piece': {
      before: [user('hi'), say(), user()],
      after: [user('hi')],
    },
  })),
];
