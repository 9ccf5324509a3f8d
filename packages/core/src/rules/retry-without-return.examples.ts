import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['pydantic-ai'], ({ user, say, call, result, retry }) => ({
  'a call with its return': {
    clean: [user('read a'), say(call('c1', 'read', { path: 'a' })), user(result('c1', 'A'))],
  },
  'discard: the call and its retry prompt go together': {
    options: { policy: 'discard' },
    before: [user('read a'), say('Reading.', call('c1', 'read', '{"pth":"a"}')), user(retry('c1', 'path is missing'))],
    after: [user('read a'), say('Reading.')],
  },
  'discard: a real return stands beside the retry prompt': {
    options: { policy: 'discard' },
    before: [say(call('c1', 'read', '{}')), user(retry('c1', 'busy'), result('c1', 'A'))],
    after: [say(call('c1', 'read', '{}')), user(result('c1', 'A'))],
  },
}));
