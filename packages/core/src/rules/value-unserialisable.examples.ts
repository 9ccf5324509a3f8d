import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'plain values': {
      clean: [user('count'), say(call('toolu_1', 'count', { to: 10 })), user(result('toolu_1', '10'))],
    },
    'a big integer among the arguments': {
      before: [user('count'), say(call('toolu_1', 'count', { to: 10n })), user(result('toolu_1', '10'))],
      after: [user('count'), say(call('toolu_1', 'count', { to: '10' })), user(result('toolu_1', '10'))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user }) => ({
    'a big integer in a part': {
      before: [user({ type: 'file', file: { file_id: 10n } })],
      after: [user({ type: 'file', file: { file_id: '10' } })],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user }) => ({
    'a big integer in a part': {
      before: [user({ type: 'file', file_id: 10n })],
      after: [user({ type: 'file', file_id: '10' })],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result }) => ({
    'a big integer among the arguments': {
      model: 'gemini-2.5-flash',
      before: [user('count'), say(call('count', { to: 10n })), user(result('count', 10))],
      after: [user('count'), say(call('count', { to: '10' })), user(result('count', 10))],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'a big integer in a return': {
      before: [say(call('call_1', 'count', '{}')), user(result('call_1', { to: 10n }, 'count'))],
      after: [say(call('call_1', 'count', '{}')), user(result('call_1', { to: '10' }, 'count'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'a big integer among the arguments': {
      before: [user('read a'), say(call('tooluse_1', 'read', { to: 10n })), user(result('tooluse_1', 'A'))],
      after: [user('read a'), say(call('tooluse_1', 'read', { to: '10' })), user(result('tooluse_1', 'A'))],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, call, result }) => ({
    'a big integer among the arguments': {
      before: [say(call('c1', 'count', { to: 10n })), result('c1', { type: 'json', value: 10 }, 'count')],
      after: [say(call('c1', 'count', { to: '10' })), result('c1', { type: 'json', value: 10 }, 'count')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ say, done }) => ({
    'a big integer among the arguments': {
      before: [say({ ...done('c1'), input: { to: 10n } })],
      after: [say({ ...done('c1'), input: { to: '10' } })],
    },
  })),
  ...inDialects(['langchain'], ({ say, call, result }) => ({
    'a big integer among the arguments': {
      before: [say(call('c1', 'read', { to: 10n })), result('c1', 'A')],
      after: [say(call('c1', 'read', { to: '10' })), result('c1', 'A')],
    },
  })),
  ...inDialects(['openai-responses'], ({ user }) => ({
    'a big integer in a piece': {
      before: [user({ type: 'input_file', file_id: 10n })],
      after: [user({ type: 'input_file', file_id: '10' })],
    },
  })),
  ...inDialects(['openai-agents'], ({ user }) => ({
    'a big integer beside a text': {
      before: [{ ...user('hi'), at: 10n }],
      after: [{ ...user('hi'), at: '10' }],
    },
  })),
];
