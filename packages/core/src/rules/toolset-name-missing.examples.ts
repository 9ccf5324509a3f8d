import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } };

export const examples: readonly Example[] = inDialects(['anthropic-messages'], ({ user, say, call, result, text }) => {
  const pressed = [user('press'), say({ ...call('toolu_1', 'press'), toolset_name: 'browser' })];
  const named = (content?: unknown): object => ({ ...result('toolu_1', content), toolset_name: 'browser' });
  return {
    'the name is on both sides': { clean: [...pressed, user(named('done'))] },
    'the name was lost when the result was stored': {
      before: [...pressed, user(result('toolu_1', 'done'))],
      after: [...pressed, user(named('done'))],
    },
    'a result without content': {
      before: [...pressed, user(result('toolu_1'))],
      after: [...pressed, user(named())],
    },
    'a document in the result': {
      before: [...pressed, user(named([text('done'), document]))],
      after: [...pressed, user(named([text('done')]), document)],
    },
  };
});
