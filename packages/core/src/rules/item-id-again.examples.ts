import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

const shell = { type: 'local_shell_call', call_id: 'c1', action: { type: 'exec', command: ['ls'], env: {} } };
const shellOutput = (key: string, output: string): object => ({ type: 'local_shell_call_output', [key]: 'c1', output });

export const examples: readonly Example[] = [
  ...inDialects(['openai-responses'], ({ user, say, answered, reference, thought }) => ({
    'two parts of one answer stored as two': {
      before: [user('hi'), answered('msg_1'), answered('msg_1')],
      after: [user('hi'), answered('msg_1'), answered()],
    },
    'references to one thing': {
      before: { model: 'gpt-5.6', input: [reference('msg_1'), { id: 'msg_1' }, user('and?')] },
      after: { model: 'gpt-5.6', input: [reference('msg_1'), user('and?')] },
    },
    'a response stored twice': {
      before: [user('hi'), thought('rs_1'), answered('msg_1'), thought('rs_1'), answered('msg_2')],
      after: [user('hi'), thought('rs_1'), answered('msg_1'), answered('msg_2')],
    },
    'other reasoning under the same id': {
      before: [user('hi'), thought('rs_1'), answered('msg_1'), thought('rs_1', 'A farewell.'), answered('msg_2')],
      after: [user('hi'), thought('rs_1'), answered('msg_1'), say(`${TEXTS.reasoning}\nA farewell.`), answered()],
    },
    'outputs of a local shell whose calls share an id': {
      before: [
        user('go'),
        shell,
        shellOutput('id', 'a.txt'),
        user('and?'),
        shell,
        { ...shellOutput('id', 'b.txt'), call_id: null },
      ],
      after: [user('go'), shell, shellOutput('id', 'a.txt'), user('and?'), shell, shellOutput('call_id', 'b.txt')],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, say, answered }) => ({
    'two parts of one answer stored as two': {
      before: [user('hi'), answered('msg_1'), answered('msg_1')],
      after: [user('hi'), answered('msg_1'), say('Hello')],
    },
  })),
];
