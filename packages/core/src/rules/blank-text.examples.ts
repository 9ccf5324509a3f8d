import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, marked, result, text }) => ({
    'a text with white space around it': { clean: [user(' hi\n')] },
    'an empty text beside a call': {
      before: [user('list the files'), say('', call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
      after: [user('list the files'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
    },
    'a message of one line break': {
      before: [user('hi'), user('\n')],
      after: [user('hi')],
    },
    'a cache marker on an empty text': {
      before: [user('hi', marked(''))],
      after: [user(marked('hi'))],
    },
    'a cache marker on an empty text behind another marker': {
      before: [user(marked('hi'), { ...text(''), cache_control: { type: 'ephemeral', ttl: '1h' } })],
      after: [user(marked('hi'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result, text }) => ({
    'an empty text beside a call': {
      before: [user('read a'), say('', call('tooluse_1')), user(result('tooluse_1', 'A'))],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
    },
    'white space to a model that minds': {
      model: 'us.meta.llama4-maverick-17b-instruct-v1:0',
      before: [user('hi', '\n')],
      after: [user('hi')],
    },
    'white space to one that does not': {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      clean: [user('hi', '\n')],
    },
    'an empty text for the guard': {
      before: [user('hi', { guardContent: { text: text('') } })],
      after: [user('hi')],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, userText }) => ({
    'a model that takes blank text': {
      model: 'gpt-5',
      clean: [userText(' ')],
    },
    'a line break beside an answer, and a message of nothing else': {
      before: [say('\n\n', 'Hello'), userText(' ')],
      after: [say('Hello')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ say }) => ({
    'a line break beside an answer': {
      before: [say('\n', 'Hello')],
      after: [say('Hello')],
    },
  })),
  ...inDialects(['langchain'], ({ user, say, text }) => ({
    'a line break beside an answer, and nothing else in a message': {
      before: [say('\n', 'Hello'), user(' ')],
      after: [say(text('Hello'))],
    },
  })),
];
