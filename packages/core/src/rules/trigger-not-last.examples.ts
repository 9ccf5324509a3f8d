import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['openai-responses'], ({ user }) => ({
  'a wish at the end': { clean: [user('hi'), { type: 'compaction_trigger' }] },
  'a wish that was stored': {
    before: [user('hi'), { type: 'compaction_trigger' }, user('more')],
    after: [user('hi'), user('more')],
  },
}));
