import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['openai-chat'], ({ user, say, call, result }) => ({
    'a result that is an empty text, and calls without content': {
      clean: [user('clean up'), { role: 'assistant', tool_calls: [call('call_1', 'rm')] }, result('call_1', '')],
    },
    'a model that takes results without content': {
      model: 'gpt-5.6',
      clean: [user('clean up'), say(call('call_1', 'rm')), result('call_1', null)],
    },
    'a tool that returned nothing, called beside an empty list': {
      before: [
        user('clean up'),
        { role: 'assistant', content: [], tool_calls: [call('call_1', 'rm')] },
        { ...result('call_1', null), name: 'rm' },
      ],
      after: [user('clean up'), say('', call('call_1', 'rm')), { ...result('call_1', ''), name: 'rm' }],
    },
    'stopped while the model was reasoning': {
      before: [user('why?'), { ...say(), reasoning_content: 'Let me think.' }],
      after: [user('why?'), { ...say(''), reasoning_content: 'Let me think.' }],
    },
    'calls without content to a provider that wants some': {
      model: 'grok-4',
      before: [user('list'), say(call('call_1', 'ls')), result('call_1', 'a.txt')],
      after: [user('list'), say('', call('call_1', 'ls')), result('call_1', 'a.txt')],
    },
    'reasoning and no word to a provider that wants one': {
      model: 'moonshot-v1-8k',
      before: [user('why?'), { ...say(''), reasoning_content: 'Let me think.' }],
      after: [user('why?'), { ...say(TEXTS.separator), reasoning_content: 'Let me think.' }],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'a tool that returned nothing': {
      before: [
        user('read a'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', null),
        say(call('bB3dE6gH9')),
        result('bB3dE6gH9', []),
      ],
      after: [
        user('read a'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', ''),
        say(call('bB3dE6gH9')),
        result('bB3dE6gH9', ''),
      ],
    },
  })),
];
