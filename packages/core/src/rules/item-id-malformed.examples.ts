import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses'], ({ user, say, answered, call, reference, result, thought }) => ({
    'ids as the provider gives them, and none': {
      clean: [user('hi'), answered('msg_1'), user('read a'), user('read a'), call('c1'), result('c1', 'A')],
    },
    'the id of a call in the place of its own': {
      before: [user('read a'), { ...call('call_1'), id: 'call_1' }, result('call_1', 'A')],
      after: [user('read a'), call('call_1'), result('call_1', 'A')],
    },
    'an id of a store': {
      before: [user('hi'), { ...say('Hello'), id: 'msg:1' }, { ...say('And?'), id: 7 }],
      after: [user('hi'), say('Hello'), say('And?')],
    },
    'an id of 65 characters': {
      before: [{ ...say('Hello'), id: `msg_${'x'.repeat(61)}` }],
      after: [say('Hello')],
    },
    'reasoning of another provider, and a reference to nowhere': {
      before: [user('hi'), thought('think-1'), answered('msg_1'), reference('a b')],
      after: [user('hi'), say(`${TEXTS.reasoning}\nA greeting.`), answered()],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, say, answered, call, result, thought }) => ({
    'ids that stand in for ids, as often as they like': {
      clean: [
        user('hi'),
        answered('FAKE_ID'),
        user('and?'),
        answered('FAKE_ID'),
        { ...call('c1'), id: 'FAKE_ID' },
        result('c1', 'A'),
      ],
    },
    'the id of a call in the place of its own, and that of a chat': {
      before: [{ ...call('c1'), id: 'c1' }, result('c1', 'A'), answered('chatcmpl-1')],
      after: [call('c1'), result('c1', 'A'), say('Hello')],
    },
    'reasoning of another provider': {
      before: [user('hi'), thought('think-1'), answered('msg_1')],
      after: [user('hi'), say(`${TEXTS.reasoning}\nA greeting.`), say('Hello')],
    },
  })),
];
