import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ say, added, call, result }) => ({
    'two different results': {
      before: [say(call('c1')), result('c1', 'A'), result('c1', 'B')],
      after: [say(call('c1')), result('c1', 'B'), added(`${TEXTS.orphan} A`)],
    },
  })),
  ...inDialects(['openai-responses', 'openai-agents'], ({ call, result }) => ({
    'stored twice by a retry': {
      before: [call('c1'), result('c1', 'A'), result('c1', 'A')],
      after: [call('c1'), result('c1', 'A')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'stored twice by a retry': {
      before: [
        user('read a'),
        say(call('toolu_1', 'read', { path: 'a' })),
        user(result('toolu_1', 'A'), result('toolu_1', 'A')),
      ],
      after: [user('read a'), say(call('toolu_1', 'read', { path: 'a' })), user(result('toolu_1', 'A'))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, added, call, result }) => ({
    'two different answers': {
      before: [
        user('read a'),
        say(call('call_1', 'read', { path: 'a' })),
        result('call_1', 'old'),
        result('call_1', 'new'),
      ],
      after: [
        user('read a'),
        say(call('call_1', 'read', { path: 'a' })),
        result('call_1', 'new'),
        added(`${TEXTS.orphan} old`),
      ],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'a result stored twice': {
      before: [user('read a'), say(call('aB3dE6gH9')), result('aB3dE6gH9', 'A'), result('aB3dE6gH9', 'A')],
      after: [user('read a'), say(call('aB3dE6gH9')), result('aB3dE6gH9', 'A')],
    },
    'a result stored again after the answer': {
      before: [
        user('read a'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', 'A'),
        say('Read.'),
        result('aB3dE6gH9', 'A'),
      ],
      after: [user('read a'), say(call('aB3dE6gH9')), result('aB3dE6gH9', 'A'), say('Read.')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result }) => ({
    'stored twice by a retry': {
      model: 'gemini-2.5-flash',
      before: [user('list'), say(call('ls')), user(result('ls', 'a.txt')), user(result('ls', 'a.txt'))],
      after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'))],
    },
    'stored again behind the answer': {
      model: 'gemini-2.5-flash',
      before: [
        user('list'),
        say(call('ls')),
        user(result('ls', 'a.txt')),
        say('One file.'),
        user(result('ls', 'a.txt')),
      ],
      after: [user('list'), say(call('ls')), user(result('ls', 'a.txt')), say('One file.')],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'stored twice by a retry': {
      before: [say(call('c1')), user(result('c1', 'A'), result('c1', 'A'))],
      after: [say(call('c1')), user(result('c1', 'A'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'a result stored twice': {
      before: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'), result('tooluse_1', 'A'))],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
    },
  })),
];
