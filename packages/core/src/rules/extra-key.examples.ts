import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, marked, result, text }) => ({
    'the keys of the dialect': { clean: [user(marked('hi'))] },
    'keys of the store on a message and on a part': {
      before: [{ ...user('hi'), timestamp: 1, id: 'm1' }, say({ ...text('Hello'), index: 0 })],
      after: [user('hi'), say(text('Hello'))],
    },
    'keys of a tool on the pieces of its result': {
      before: [
        user('read'),
        say(call('toolu_1')),
        user(
          result('toolu_1', [
            { ...text('a'), annotations: { audience: ['user'] } },
            { ...text('b'), 'x.y': 1 },
          ]),
        ),
      ],
      after: [user('read'), say(call('toolu_1')), user(result('toolu_1', [text('a'), text('b')]))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, developer, result }) => ({
    'a provider that carries every key': { clean: [user('hi'), { ...say('Hello'), reasoning_content: 'Hm.' }] },
    'one that refuses those it does not know': {
      model: 'groq/llama-3.3-70b-versatile',
      before: [
        user('list'),
        { ...say('Sure.'), reasoning_content: null, tool_calls: [call('call_1', 'ls')] },
        { ...result('call_1', 'a.txt'), index: 0 },
        { ...developer('Be brief.'), id: 'm1' },
      ],
      after: [user('list'), say('Sure.', call('call_1', 'ls')), result('call_1', 'a.txt'), developer('Be brief.')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, text }) => ({
    'what parts are called in other formats': {
      before: [user({ type: 'text', text: 'hi' }), say({ part_kind: 'text', text: 'Hello', index: 0 })],
      after: [user('hi'), say({ ...text('Hello'), index: 0 })],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ user, text }) => ({
    'options that are none': {
      before: [
        user({ ...text('hi'), providerOptions: 'fast' }),
        { role: 'assistant', content: 'Hello', providerOptions: { anthropic: true } },
      ],
      after: [user('hi'), { role: 'assistant', content: 'Hello' }],
    },
  })),
  ...inDialects(['openai-responses'], ({ say }) => ({
    'a phase that models have': { clean: [{ ...say('Hello'), phase: 'final_answer' }] },
    'a phase that no model has': {
      before: [{ ...say('Hello'), phase: 'thinking' }],
      after: [say('Hello')],
    },
  })),
  ...inDialects(['openai-agents'], ({ say }) => ({
    'a phase that models have': { clean: [{ ...say('Hello'), phase: 'commentary' }] },
    'a phase that no model has': {
      before: [{ ...say('Hello'), phase: 'soon' }],
      after: [say('Hello')],
    },
  })),
];
