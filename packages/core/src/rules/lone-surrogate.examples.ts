import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(
    [
      'anthropic-messages',
      'openai-chat',
      'gemini',
      'pydantic-ai',
      'ai-sdk-model',
      'ai-sdk-ui',
      'langchain',
      'openai-responses',
      'openai-agents',
    ],
    ({ user }) => ({
      'a text cut inside an emoji': {
        before: [user('smile \ud83d')],
        after: [user('smile \ufffd')],
      },
    }),
  ),
  ...inDialects(['mistral-chat', 'bedrock-converse'], ({ user }) => ({
    'a text cut inside an emoji': {
      before: [user('ok \ud83d')],
      after: [user('ok \ufffd')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'whole characters': { clean: [user('smile \u{1f600}')] },
    'a key cut inside an emoji': {
      before: [user('go'), say(call('toolu_1', 'put', { '\udc00': 1 })), user(result('toolu_1', 'ok'))],
      after: [user('go'), say(call('toolu_1', 'put', { '\ufffd': 1 })), user(result('toolu_1', 'ok'))],
    },
    'an option beside the content': {
      before: [{ ...user('hi'), output_config: { style: '\ud83d' } }],
      after: [{ ...user('hi'), output_config: { style: '\ufffd' } }],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, call, result }) => ({
    'arguments cut inside an emoji': {
      before: [call('c1', 'read', '{"a":"\ud83d'), result('c1', 'A')],
      after: [call('c1', 'read', '{"a":"\ufffd'), result('c1', 'A')],
    },
    'a key cut inside an emoji': {
      before: [{ ...user('hi'), 'k\ud83d': 1 }],
      after: [{ ...user('hi'), 'k\ufffd': 1 }],
    },
  })),
];
