import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['gemini'], ({ user, say, call, result }) => ({
    'a result stored by id only': {
      model: 'gemini-2.5-flash',
      before: [
        user('read a'),
        say({ functionCall: { name: 'ls' } }, call('read', {}, 'c1')),
        user({ functionResponse: { name: 'ls', response: {} } }),
        user(result('', 'A', 'c1')),
      ],
      after: [
        user('read a'),
        say({ functionCall: { name: 'ls' } }, call('read', {}, 'c1')),
        user({ functionResponse: { name: 'ls', response: {} } }),
        user(result('read', 'A', 'c1')),
      ],
    },
    'a result with neither id nor name': {
      model: 'gemini-2.5-flash',
      before: [
        user('read a'),
        say({ functionCall: { name: 'ls' } }, call('read')),
        user({ functionResponse: { name: 'ls', response: {} } }),
        user({ functionResponse: { response: { result: 'A' } } }),
      ],
      after: [
        user('read a'),
        say({ functionCall: { name: 'ls' } }, call('read')),
        user({ functionResponse: { name: 'ls', response: {} } }),
        user(result('read', 'A')),
      ],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'a result that names its tool': { clean: [say(call('c1')), user(result('c1', 'A'))] },
    'a result without the name of its tool': {
      before: [say(call('c1')), user({ part_kind: 'tool-return', content: 'A', tool_call_id: 'c1' })],
      after: [say(call('c1')), user(result('c1', 'A'))],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, call, result, results }) => ({
    'a result without the name of its tool': {
      before: [
        say(call('c1')),
        results({ type: 'tool-result', toolCallId: 'c1', output: { type: 'text', value: 'A' } }),
      ],
      after: [say(call('c1')), result('c1', 'A')],
    },
  })),
];
