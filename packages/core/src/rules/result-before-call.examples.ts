import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses'], ({ user, say, added, call, closed, result }) => ({
    'written down in the wrong order': {
      before: [user('read a'), result('c1', 'A'), call('c1'), say('Done.')],
      after: [user('read a'), call('c1'), say('Done.'), result('c1', 'A')],
    },
    'written down in the wrong order, around an answer': {
      before: [user('read a'), result('c1', 'A'), say('Reading.'), call('c1')],
      after: [user('read a'), say('Reading.'), call('c1'), result('c1', 'A')],
    },
    'the call was cut away, and its id used again': {
      before: [result('c1', 'A'), user('and b'), call('c1'), result('c1', 'B')],
      after: [added(`${TEXTS.orphan} A`), user('and b'), call('c1'), result('c1', 'B')],
    },
    'the call was cut away, and its id used again for a call that was interrupted': {
      before: [result('c1', 'A'), user('and b'), call('c1')],
      after: [added(`${TEXTS.orphan} A`), user('and b'), call('c1'), closed('c1')],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, call, result }) => ({
    'written down in the wrong order': {
      before: [user('read a'), result('c1', 'A'), call('c1')],
      after: [user('read a'), call('c1'), result('c1', 'A')],
    },
  })),
];
