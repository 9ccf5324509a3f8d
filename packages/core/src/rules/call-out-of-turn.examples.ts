import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['gemini'],
  ({ user, say, added, call, closed, result, signed }) => ({
    'what was said and what was called, in one message': {
      clean: [user('list the files'), say('Looking.', signed(call('ls'))), user(result('ls', 'a.txt'))],
    },
    'what was said and what was called, in two messages': {
      clean: [user('list the files'), say('Looking.'), say(signed(call('ls'))), user(result('ls', 'a.txt'))],
    },
    'a history that opens with what was said before the call': {
      before: [say('Looking.'), say(signed(call('ls')))],
      after: [say('Looking.'), added(TEXTS.proceed), say(signed(call('ls'))), user(closed('ls'))],
    },
    'the front of the history cut away': {
      before: [say(signed(call('ls'))), user(result('ls', 'a.txt'))],
      after: [added(TEXTS.resumed), say(signed(call('ls'))), user(result('ls', 'a.txt'))],
    },
  }),
);
