import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['mistral-chat'], ({ user, system, added, request }) => ({
    'a model that takes it': {
      model: 'mistral-small-2603',
      clean: request(user('hi'), system('Be brief.')),
    },
    'a reminder behind the question': {
      before: request(user('hi'), system('Be brief.')),
      after: request(user('hi'), system('Be brief.'), added(TEXTS.proceed)),
    },
  })),
  ...inDialects(['langchain'], ({ system, added, request }) => ({
    'a model that takes it': {
      model: 'gpt-5',
      clean: request(system('Say hello.')),
    },
    'nothing but instructions': {
      before: request(system('Say hello.')),
      after: request(system('Say hello.'), added(TEXTS.proceed)),
    },
  })),
];
