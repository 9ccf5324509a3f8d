import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses'], ({ user, say, answered, call, reference, result, thought }) => ({
    'reasoning before what came of it': {
      clean: [
        user('hi'),
        thought('rs_1'),
        answered('msg_1'),
        thought('rs_2'),
        { ...call('c1'), id: 'fc_1' },
        result('c1', 'A'),
      ],
    },
    'reasoning that the provider does not know': {
      clean: [user('hi'), { type: 'reasoning', summary: [] }, say('Hello')],
    },
    'sealed reasoning and its answer, where the provider keeps neither': {
      clean: { store: false, input: [user('hi'), thought('rs_1'), say('Hello')] },
    },
    'stopped after the reasoning': {
      before: [user('hi'), thought('rs_1'), thought('rs_2', '')],
      after: [user('hi'), say(`${TEXTS.reasoning}\nA greeting.`)],
    },
    'a reference to reasoning that nothing follows': {
      before: [user('hi'), reference('rs_1'), user('and?')],
      after: [user('hi'), user('and?')],
    },
    'before an answer that was rewritten and lost its id': {
      before: [user('hi'), thought('rs_1', ''), say('Hello'), user('and?')],
      after: [user('hi'), say('Hello'), user('and?')],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, say, call, result, thought }) => ({
    'a call that was stored without its id': { clean: [user('hi'), thought('rs_1'), call('c1'), result('c1', 'A')] },
    'stopped between the reasoning and the answer': {
      before: [user('hi'), thought('rs_1'), user('are you there?')],
      after: [user('hi'), say(`${TEXTS.reasoning}\nA greeting.`), user('are you there?')],
    },
  })),
];
