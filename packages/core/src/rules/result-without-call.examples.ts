import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ say, added, result }) => ({
    'front of the history cut away': {
      before: [result('c9', 'a.txt'), say('One file.')],
      after: [added(`${TEXTS.orphan} a.txt`), say('One file.')],
    },
  })),
  ...inDialects(['openai-responses', 'openai-agents'], ({ say, added, result }) => ({
    'front of the history cut away': {
      before: [result('c9', 'A'), say('One file.')],
      after: [added(`${TEXTS.orphan} A`), say('One file.')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, added, result }) => ({
    'front of the history cut away': {
      before: [user(result('toolu_9', 'a.txt')), say('One file.')],
      after: [added(`${TEXTS.orphan} a.txt`), say('One file.')],
    },
  })),
  ...inDialects(['openai-chat'], ({ say, added, result }) => ({
    'front of the history cut away': {
      before: [result('call_9', 'a.txt'), say('One file.')],
      after: [added(`${TEXTS.orphan} a.txt`), say('One file.')],
    },
    'discard: the result goes': {
      options: { policy: 'discard' },
      before: [result('call_9', 'a.txt'), say('One file.')],
      after: [say('One file.')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, added, result }) => ({
    'front of the history cut away': {
      before: [result('aB3dE6gH9', 'A'), say('One file.')],
      after: [added(`${TEXTS.orphan} A`), say('One file.')],
    },
    'a result without an id': {
      before: [user('hi'), say('Hello'), { role: 'tool', content: 'A' }],
      after: [user('hi'), say('Hello'), added(`${TEXTS.orphan} A`)],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, added, call, result }) => ({
    'front of the history cut away': {
      model: 'gemini-2.5-flash',
      before: [user(result('ls', 'a.txt')), say('One file.')],
      after: [added(`${TEXTS.orphan} a.txt`), say('One file.')],
    },
    'more results than calls': {
      model: 'gemini-2.5-flash',
      before: [user('list'), say(call('ls')), user(result('ls', 'a.txt'), result('cat', 'A'))],
      after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'), `${TEXTS.orphan} A`)],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, added, result }) => ({
    'front of the history cut away': {
      before: [user(result('c9', 'a.txt', 'ls')), say('One file.')],
      after: [added(`${TEXTS.orphan} a.txt`), say('One file.')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, added, result }) => ({
    'front of the history cut away': {
      before: [user(result('tooluse_9', 'A')), say('One file.')],
      after: [added(`${TEXTS.orphan} A`), say('One file.')],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, added, call, result, results, returned }) => ({
    'one of two results in a message has no call': {
      before: [say(call('c1')), results(returned('c9', 'B'), returned('c1', 'A'))],
      after: [say(call('c1')), result('c1', 'A'), added(`${TEXTS.orphan} B`)],
    },
  })),
  ...inDialects(['langchain'], ({ say, call, invalidCall, repairedCall, result }) => ({
    'a call that the framework could not make sense of was answered, beside one that it could': {
      before: [
        { ...say(call('c2', 'read', { path: 'a' })), invalid_tool_calls: [invalidCall('c1')] },
        result('c2', 'A'),
        { ...result('c1', 'No.'), status: 'error' },
      ],
      after: [
        { ...say(call('c2', 'read', { path: 'a' }), repairedCall('c1')), invalid_tool_calls: [] },
        result('c2', 'A'),
        { ...result('c1', 'No.'), status: 'error' },
      ],
    },
    'such a call beside words was answered, and answered again': {
      before: [
        { ...say('Hello'), invalid_tool_calls: [invalidCall('c2'), invalidCall('c1')] },
        result('c1', 'No.'),
        result('c1', 'No.'),
      ],
      after: [{ ...say('Hello', repairedCall('c1')), invalid_tool_calls: [invalidCall('c2')] }, result('c1', 'No.')],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, say, added, customResult, reference, result }) => ({
    'an output of a call that the provider has kept': {
      clean: { previous_response_id: 'resp_1', input: [result('c9', 'A')] },
    },
    'an output that names no call, on a model that takes it': {
      model: 'gpt-5.6',
      clean: [result(undefined, 'A')],
    },
    'outputs of calls that are sent as references, as they are unless a function was called': {
      clean: [
        user('ls'),
        reference('sh_1'),
        reference('ctc_1'),
        { type: 'shell_call_output', call_id: 'c1', output: [] },
        customResult('c2', 'A'),
      ],
    },
    'one output more than there are references': {
      before: [
        reference('sh_1'),
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', call_id: 'c1', output: [] },
        { type: 'shell_call_output', call_id: 'c2', output: [] },
        { type: 'apply_patch_call_output', call_id: 'c3', status: 'completed', output: 'A' },
      ],
      after: [
        reference('sh_1'),
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', call_id: 'c1', output: [] },
        { type: 'shell_call_output', call_id: 'c2', output: [] },
        added(`${TEXTS.orphan} A`),
      ],
    },
    'a function whose call is sent as a reference': {
      before: [user('ls'), reference('fc_1'), result('c1', 'A'), say('One file.')],
      after: [user('ls'), reference('fc_1'), added(`${TEXTS.orphan} A`), say('One file.')],
    },
    'an output that names no call, behind a reference': {
      before: [reference('sh_1'), { type: 'apply_patch_call_output', status: 'completed', output: 'A' }],
      after: [reference('sh_1'), added(`${TEXTS.orphan} A`)],
    },
    'an output that names no call': {
      before: [user('hi'), result(null, 'A')],
      after: [user('hi'), added(`${TEXTS.orphan} A`)],
    },
  })),
];
