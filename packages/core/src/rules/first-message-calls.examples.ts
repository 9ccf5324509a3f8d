import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['mistral-chat'], ({ user, say, added, call, result }) => ({
  'the agent greets first': { clean: [say('Hello!'), user('hi')] },
  'front of the history cut away': {
    before: [say(call('aB3dE6gH9', 'ls')), result('aB3dE6gH9', 'a.txt')],
    after: [added(TEXTS.resumed), say(call('aB3dE6gH9', 'ls')), result('aB3dE6gH9', 'a.txt')],
  },
}));
