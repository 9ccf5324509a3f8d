import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses', 'openai-agents'], ({ user, call, closed, result }) => ({
    'an id used again, and interrupted': {
      before: [call('c1'), result('c1', 'A'), user('again'), call('c1'), user('are you there?')],
      after: [call('c1'), result('c1', 'A'), user('again'), call('c1'), closed('c1'), user('are you there?')],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, call, closed, result }) => ({
    'an id used again for another pair': { clean: [call('c1'), result('c1', 'A'), call('c1'), result('c1', 'B')] },
    'interrupted, and the id used again': {
      before: [call('c1'), user('again'), call('c1'), result('c1', 'A')],
      after: [call('c1'), closed('c1'), user('again'), call('c1'), result('c1', 'A')],
    },
  })),
];
