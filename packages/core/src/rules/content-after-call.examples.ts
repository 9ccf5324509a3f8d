import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, result, thought }) => ({
    'text behind a call': {
      before: [user('list the files'), say(call('toolu_1', 'ls'), 'Let me look.'), user(result('toolu_1', 'a.txt'))],
      after: [user('list the files'), say('Let me look.', call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
    },
    'reasoning behind a call': {
      model: 'claude-sonnet-4-5',
      before: [
        user('list the files'),
        say(thought('Look first.'), call('toolu_1', 'ls'), thought('And say so.'), 'Let me look.'),
        user(result('toolu_1', 'a.txt')),
      ],
      after: [
        user('list the files'),
        say(thought('Look first.'), TEXTS.separator, thought('And say so.'), 'Let me look.', call('toolu_1', 'ls')),
        user(result('toolu_1', 'a.txt')),
      ],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'text after a call': {
      before: [user('read a'), say(call('tooluse_1'), 'Done soon.'), user(result('tooluse_1', 'A'))],
      after: [user('read a'), say('Done soon.', call('tooluse_1')), user(result('tooluse_1', 'A'))],
    },
    'a family that takes it': {
      model: 'us.meta.llama4-maverick-17b-instruct-v1:0',
      clean: [user('read a'), say(call('tooluse_1'), 'Done soon.'), user(result('tooluse_1', 'A'))],
    },
  })),
];
