import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ say, call, result }) => ({
    'a model that counts its calls from zero': {
      before: [say(call('call_0'), call('call_0')), result('call_0', 'A'), result('call_0', 'B')],
      after: [say(call('call_0'), call('call_0_2')), result('call_0', 'A'), result('call_0_2', 'B')],
    },
  })),
  ...inDialects(['openai-responses', 'openai-agents'], ({ call, result }) => ({
    'a model that counts its calls from zero': {
      before: [call('c0'), call('c0'), result('c0', 'A'), result('c0', 'B')],
      after: [call('c0'), call('c0_2'), result('c0', 'A'), result('c0_2', 'B')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'a model that counts its calls from zero': {
      before: [
        user('read a and b'),
        say(call('call_0', 'read', { path: 'a' }), call('call_0', 'read', { path: 'b' })),
        user(result('call_0', 'A'), result('call_0', 'B')),
      ],
      after: [
        user('read a and b'),
        say(call('call_0', 'read', { path: 'a' }), call('call_0_2', 'read', { path: 'b' })),
        user(result('call_0', 'A'), result('call_0_2', 'B')),
      ],
    },
  })),
  ...inDialects(['openai-chat'], ({ say, call, result }) => ({
    'a model that counts its calls from zero': {
      before: [
        say(call('call_0', 'read', { path: 'a' }), call('call_0', 'read', { path: 'b' })),
        result('call_0', 'A'),
        result('call_0', 'B'),
      ],
      after: [
        say(call('call_0', 'read', { path: 'a' }), call('call_0_2', 'read', { path: 'b' })),
        result('call_0', 'A'),
        result('call_0_2', 'B'),
      ],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'one id for two calls': {
      before: [
        user('read'),
        say(call('aB3dE6gH9'), call('aB3dE6gH9')),
        result('aB3dE6gH9', 'A'),
        result('aB3dE6gH9', 'B'),
      ],
      after: [
        user('read'),
        say(call('aB3dE6gH9'), call('201dxky5y')),
        result('aB3dE6gH9', 'A'),
        result('201dxky5y', 'B'),
      ],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'a model that counts its calls from zero': {
      before: [
        say(call('c0', 'read', { path: 'a' }), call('c0', 'read', { path: 'b' })),
        user(result('c0', 'A'), result('c0', 'B')),
      ],
      after: [
        say(call('c0', 'read', { path: 'a' }), call('c0_2', 'read', { path: 'b' })),
        user(result('c0', 'A'), result('c0_2', 'B')),
      ],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'a model that counts its calls from zero': {
      before: [user('read'), say(call('c0'), call('c0')), user(result('c0', 'A'), result('c0', 'B'))],
      after: [user('read'), say(call('c0'), call('c0_2')), user(result('c0', 'A'), result('c0_2', 'B'))],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ say, done, step }) => ({
    'an id that is used again in the next step': { clean: [say(done('c1'), step, done('c1'))] },
    'a model that counts its calls from zero': {
      before: [say(done('c1'), done('c1', 'B'), done('c1', 'C'))],
      after: [say(done('c1'), done('c1_2', 'B'), done('c1_3', 'C'))],
    },
  })),
];
