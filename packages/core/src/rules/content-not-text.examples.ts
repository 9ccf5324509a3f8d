import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['openai-chat'],
  ({ user, say, system, call, result, text }) => ({
    'a list from the user': {
      model: 'groq/llama-3.3-70b-versatile',
      clean: [user('one', 'two')],
    },
    'lists from everybody else': {
      model: 'groq/llama-3.3-70b-versatile',
      before: [
        system('Be kind.', 'Be brief.'),
        user('list'),
        say('Sure.', { type: 'refusal', refusal: 'No.' }, call('call_1', 'ls')),
        result('call_1', [text('a.txt'), { type: 'hologram' }]),
      ],
      after: [
        system('Be kind.\nBe brief.'),
        user('list'),
        say('Sure.\nNo.', call('call_1', 'ls')),
        result('call_1', 'a.txt\n{"type":"hologram"}'),
      ],
    },
  }),
);
