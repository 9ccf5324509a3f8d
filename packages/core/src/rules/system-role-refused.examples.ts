import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(['openai-chat'], ({ user, system, developer, text }) => ({
  'a model that takes system messages': {
    model: 'gpt-4o',
    clean: [system('Be kind.'), user('hi')],
  },
  'instructions to a model that takes none': {
    model: 'o1-mini',
    before: [system('Be kind.'), developer(text('Be brief.')), user('hi')],
    after: [user('Be kind.'), user(text('Be brief.')), user('hi')],
  },
  'a template without a place for the system': {
    model: 'google/gemma-2-9b-it',
    before: [system('Be brief.'), user('hi')],
    after: [user('Be brief.\n\nhi')],
  },
}));
