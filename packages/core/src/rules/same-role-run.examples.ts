import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'joined by the provider itself': { clean: [user('one'), user('two')] },
    'a proxy that wants roles to alternate': {
      profile: { alternation: true },
      before: [user('one'), user('two'), say('Both.')],
      after: [user('one', 'two'), say('Both.')],
    },
    'discard: asked three times, the first time among results': {
      profile: { alternation: true },
      options: { policy: 'discard' },
      before: [
        user('list'),
        say(call('toolu_1', 'ls')),
        user(result('toolu_1', 'a.txt'), 'one'),
        user('two'),
        user('three'),
      ],
      after: [user('list'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'), 'one', 'three')],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, system, added, picture, rawCall, result }) => ({
    'a model that takes no successive messages of one role': {
      model: 'deepseek-r1',
      before: [user('one'), user('two')],
      after: [user('one', 'two')],
    },
    'the system between them': {
      model: 'deepseek-r1',
      clean: [user('one'), system('Be brief.'), user('two')],
    },
    'a template that takes one text': {
      model: 'gemma-2-9b-it',
      before: [user('one'), user('two'), say('Both.')],
      after: [user('one\n\ntwo'), say('Both.')],
    },
    'texts and a picture': {
      model: 'gemma-2-9b-it',
      before: [user('one'), user(picture('data:,'))],
      after: [user('one', picture('data:,'))],
    },
    'discard: what a tool returned is no request, also where it had to become text': {
      model: 'gemma-2-9b-it',
      options: { policy: 'discard' },
      before: [
        user('list'),
        say('Sure.', rawCall('call_1', 'ls', { all: true })),
        result('call_1', 'a.txt'),
        user('a'),
        user('b'),
      ],
      after: [user('list'), say('Sure.\n[ls {"all":true}]'), added(`${TEXTS.orphan} a.txt\n\nb`)],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say }) => ({
    'the user wrote twice': {
      before: [user('one'), user('two')],
      after: [user('one', 'two')],
    },
    'discard: the user wrote twice': {
      options: { policy: 'discard' },
      before: [user('one'), user('two'), user('three'), say('Three.')],
      after: [user('three'), say('Three.')],
    },
  })),
];
