import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = inDialects(
  ['openai-responses'],
  ({ user, say, answered, call, reference, result, thought }) => ({
    'a reference where things are kept': { clean: { model: 'gpt-5.6', input: [reference('msg_1'), user('and?')] } },
    'a reference where nothing is kept': {
      before: { model: 'gpt-5.6', store: false, input: [reference('msg_1'), user('and?')] },
      after: { model: 'gpt-5.6', store: false, input: [user('and?')] },
    },
    'reasoning without its sealed content where nothing is kept': {
      before: { store: false, input: [user('hi'), { ...thought('rs_1'), encrypted_content: null }, answered('msg_1')] },
      after: { store: false, input: [user('hi'), say(`${TEXTS.reasoning}\nA greeting.`), answered()] },
    },
    'calls that came of reasoning which is not kept': {
      before: {
        store: false,
        input: [
          user('hi'),
          { type: 'reasoning', id: 'rs_2', summary: [] },
          { ...call('c1'), id: 'fc_1' },
          result('c1', 'A'),
          thought('rs_3'),
          { ...call('c2'), id: 'fc_2' },
          result('c2', 'A'),
        ],
      },
      after: {
        store: false,
        input: [
          user('hi'),
          call('c1'),
          result('c1', 'A'),
          thought('rs_3'),
          { ...call('c2'), id: 'fc_2' },
          result('c2', 'A'),
        ],
      },
    },
  }),
);
