import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['ai-sdk-model'],
  ({ say, asked, call, decided, result, results, userText }) => ({
    'an approved call, about to be run': {
      clean: [userText('delete a'), say(call('c1', 'rm', { path: 'a' }), asked('a1', 'c1')), results(decided('a1'))],
    },
    'the question was cut away': {
      before: [userText('delete a'), results(decided('a1'))],
      after: [userText('delete a')],
    },
    'the call was cut away': {
      before: [userText('delete a'), say('May I?', asked('a1', 'c1')), results(decided('a1'))],
      after: [userText('delete a'), say('May I?', asked('a1', 'c1'))],
    },
    'the call has its result already': {
      before: [
        say(call('c1', 'rm', { path: 'a' }), asked('a1', 'c1')),
        result('c1', 'gone', 'rm'),
        results(decided('a1')),
      ],
      after: [say(call('c1', 'rm', { path: 'a' }), asked('a1', 'c1')), result('c1', 'gone', 'rm')],
    },
  }),
);
