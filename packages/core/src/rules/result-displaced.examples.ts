import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ user, say, call, result }) => ({
    'the user wrote while the tool was running': {
      before: [say(call('c1')), user('how long?'), result('c1', 'A')],
      after: [say(call('c1')), result('c1', 'A'), user('how long?')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'text before the result in the same message': {
      before: [user('list the files'), say(call('toolu_1', 'ls')), user('quickly, please', result('toolu_1', 'a.txt'))],
      after: [user('list the files'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'), 'quickly, please')],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, result }) => ({
    'the user wrote while the tool was running': {
      before: [user('build it'), say(call('call_1', 'build')), user('how long?'), result('call_1', 'built')],
      after: [user('build it'), say(call('call_1', 'build')), result('call_1', 'built'), user('how long?')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'the user wrote while the tool was running': {
      before: [user('build it'), say(call('aB3dE6gH9')), user('how long?'), result('aB3dE6gH9', 'A')],
      after: [
        user('build it'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', 'A'),
        say(TEXTS.separator),
        user('how long?'),
      ],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result }) => ({
    'the user wrote while the tool was running': {
      model: 'gemini-2.5-flash',
      clean: [user('list'), say(call('ls')), user('how long?'), user(result('ls', 'a.txt'))],
    },
    'the model answered before the tool was done': {
      model: 'gemini-2.5-flash',
      before: [user('list'), say(call('ls')), user('how long?'), say('A moment.'), user(result('ls', 'a.txt'))],
      after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'), 'how long?'), say('A moment.')],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'the user wrote while the tool was running': {
      before: [say(call('c1', 'build')), user('how long?'), user(result('c1', 'built', 'build'))],
      after: [say(call('c1', 'build')), user(result('c1', 'built', 'build'), 'how long?')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'text before the result': {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      before: [user('read a'), say(call('tooluse_1')), user('quickly', result('tooluse_1', 'A'))],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'), 'quickly')],
    },
  })),
];
