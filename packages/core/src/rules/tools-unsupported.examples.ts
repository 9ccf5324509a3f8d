import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['openai-chat'],
  ({ user, say, added, call, rawCall, result }) => ({
    'a template without tools': {
      model: 'gemma-2-9b-it',
      before: [
        user('list'),
        say('Sure.', rawCall('call_1', 'ls', { all: true })),
        result('call_1', 'a.txt'),
        say('One file.'),
      ],
      after: [user('list'), say('Sure.\n[ls {"all":true}]'), added(`${TEXTS.orphan} a.txt`), say('One file.')],
    },
    'a call without arguments': {
      model: 'gemma-2-9b-it',
      before: [
        user('list'),
        say(call('call_1', 'ls')),
        result('call_1', 'a.txt'),
        { ...say(), tool_calls: [{ id: 'c' }] },
      ],
      after: [
        user('list'),
        say('[ls {}]'),
        added(`${TEXTS.orphan} a.txt`),
        say('[ {}]'),
        added(`${TEXTS.orphan} ${RESULT_TEXTS.unknown}`),
      ],
    },
  }),
);
