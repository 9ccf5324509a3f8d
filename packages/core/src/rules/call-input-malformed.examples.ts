import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'an object': { clean: [user('read a'), say(call('toolu_1', 'read', { path: 'a' })), user(result('toolu_1', 'A'))] },
    'whole arguments that are still a string': {
      before: [user('read a'), say(call('toolu_1', 'read', '{"path":"a"}')), user(result('toolu_1', 'A'))],
      after: [user('read a'), say(call('toolu_1', 'read', { path: 'a' })), user(result('toolu_1', 'A'))],
    },
    'numbers with more digits than can be read': {
      before: [
        user('read a'),
        say(call('toolu_1', 'read', '{"id":9007199254740993,"text":"9007199254740993"}')),
        user(result('toolu_1', 'A')),
      ],
      after: [
        user('read a'),
        say(call('toolu_1', 'read', { id: 9007199254740992, text: '9007199254740993' })),
        user(result('toolu_1', 'A')),
      ],
    },
    'stopped inside the arguments': {
      before: [user('read a'), say(call('toolu_1', 'read', '{"path":')), user(result('toolu_1', 'A'))],
      after: [user('read a'), say(call('toolu_1', 'read', { INVALID_JSON: '{"path":' })), user(result('toolu_1', 'A'))],
    },
    'arguments that are a list': {
      before: [user('read a'), say(call('toolu_1', 'read', ['a'])), user(result('toolu_1', 'A'))],
      after: [user('read a'), say(call('toolu_1', 'read', { INVALID_JSON: '["a"]' })), user(result('toolu_1', 'A'))],
    },
    'a list that is still a string': {
      before: [user('read a'), say(call('toolu_1', 'read', '["a"]')), user(result('toolu_1', 'A'))],
      after: [user('read a'), say(call('toolu_1', 'read', { INVALID_JSON: '["a"]' })), user(result('toolu_1', 'A'))],
    },
    'no arguments at all': {
      before: [user('read a'), say(call('toolu_1', 'read', null)), user(result('toolu_1', 'A'))],
      after: [user('read a'), say(call('toolu_1')), user(result('toolu_1', 'A'))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, custom, rawCall, result }) => ({
    'half a string is legal': {
      clean: [user('read a'), say(call('call_1', 'read', '{"path":')), result('call_1', 'A')],
    },
    'arguments that were parsed': {
      before: [user('read a'), say(rawCall('call_1', 'read', { path: 'a' })), result('call_1', 'A')],
      after: [user('read a'), say(call('call_1', 'read', { path: 'a' })), result('call_1', 'A')],
    },
    'no arguments at all': {
      before: [user('read a'), say(rawCall('call_1', 'read', null)), result('call_1', 'A')],
      after: [user('read a'), say(call('call_1')), result('call_1', 'A')],
    },
    'a custom tool without input': {
      before: [user('read a'), say(custom('call_1', 'read', null)), result('call_1', 'A')],
      after: [user('read a'), say(custom('call_1', 'read', '')), result('call_1', 'A')],
    },
    'a template that walks through the arguments': {
      model: 'template/qwen3-coder',
      before: [user('list'), say(call('call_1', 'ls', { all: true })), result('call_1', 'a.txt')],
      after: [user('list'), say(rawCall('call_1', 'ls', { all: true })), result('call_1', 'a.txt')],
    },
    'arguments that are an object already': {
      model: 'template/qwen3-coder',
      clean: [user('list'), say(rawCall('call_1', 'ls', { all: true })), result('call_1', 'a.txt')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, custom, rawCall, result }) => ({
    'arguments that are an object': {
      clean: [user('read a'), say(rawCall('aB3dE6gH9', 'read', { path: 'a' })), result('aB3dE6gH9', 'A')],
    },
    'arguments that are a list': {
      before: [user('read a'), say(rawCall('aB3dE6gH9', 'read', ['a'])), result('aB3dE6gH9', 'A')],
      after: [user('read a'), say(call('aB3dE6gH9', 'read', '["a"]')), result('aB3dE6gH9', 'A')],
    },
    'a call in the form of another provider': {
      before: [user('read a'), say(custom('aB3dE6gH9', 'read', 'a')), result('aB3dE6gH9', 'A')],
      after: [user('read a'), say(call('aB3dE6gH9', 'read', 'a')), result('aB3dE6gH9', 'A')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result }) => ({
    'whole arguments that are still a string': {
      model: 'gemini-2.5-flash',
      before: [user('read a'), say(call('read', '{"path":"a"}')), user(result('read', 'A'))],
      after: [user('read a'), say(call('read', { path: 'a' })), user(result('read', 'A'))],
    },
    'arguments that are a list': {
      model: 'gemini-2.5-flash',
      before: [user('read a'), say(call('read', ['a'])), user(result('read', 'A'))],
      after: [user('read a'), say(call('read', { INVALID_JSON: '["a"]' })), user(result('read', 'A'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'stopped inside the arguments': {
      before: [user('read a'), say(call('tooluse_1', 'read', '{"path":')), user(result('tooluse_1', 'A'))],
      after: [
        user('read a'),
        say(call('tooluse_1', 'read', { INVALID_JSON: '{"path":' })),
        user(result('tooluse_1', 'A')),
      ],
    },
    'arguments without a name': {
      before: [
        user('read a'),
        say(call('tooluse_1', 'read', { '': 1, _: [{ '': 'a' }] })),
        user(result('tooluse_1', 'A')),
      ],
      after: [
        user('read a'),
        say(call('tooluse_1', 'read', { __: 1, _: [{ _: 'a' }] })),
        user(result('tooluse_1', 'A')),
      ],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, call, result }) => ({
    'no arguments at all': {
      before: [say({ type: 'tool-call', toolCallId: 'c1', toolName: 'read' }), result('c1', 'A')],
      after: [say(call('c1')), result('c1', 'A')],
    },
    'arguments under the name of an earlier version': {
      before: [say({ type: 'tool-call', toolCallId: 'c1', toolName: 'read', args: { path: 'a' } }), result('c1', 'A')],
      after: [say(call('c1', 'read', { path: 'a' })), result('c1', 'A')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ say, failed }) => ({
    'a call that failed on what it was given': {
      clean: [say({ ...failed('c1', 'no such file'), input: undefined, rawInput: '{"path' })],
    },
    'no arguments at all': {
      before: [say({ type: 'tool-read', toolCallId: 'c1', state: 'output-available', output: 'A' })],
      after: [say({ type: 'tool-read', toolCallId: 'c1', state: 'output-available', output: 'A', input: {} })],
    },
  })),
  ...inDialects(['langchain'], ({ say, openaiCall, call, invalidCall, repairedCall, result, text }) => ({
    'a call in the form of a provider': {
      clean: [{ type: 'ai', content: '', additional_kwargs: { tool_calls: [openaiCall('c1')] } }, result('c1', 'A')],
    },
    'nothing but calls that the framework could not make sense of': {
      before: [
        { ...say(''), invalid_tool_calls: [invalidCall('c1')] },
        result('c1', 'No.'),
        { type: 'ai', content: [text('\n')], invalid_tool_calls: [invalidCall('c2')] },
        result('c2', 'No.'),
      ],
      after: [
        { ...say(repairedCall('c1')), invalid_tool_calls: [] },
        result('c1', 'No.'),
        { type: 'ai', content: '', invalid_tool_calls: [], tool_calls: [repairedCall('c2')] },
        result('c2', 'No.'),
      ],
    },
    'such calls beside words, which the framework leaves out': {
      clean: [{ type: 'ai', content: 'Hello', invalid_tool_calls: [invalidCall('c1')] }],
    },
    'arguments that are still a text': {
      before: [say(call('c1', 'read', '{"path":"a"}')), result('c1', 'A')],
      after: [say(call('c1', 'read', { path: 'a' })), result('c1', 'A')],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, call, custom, customResult, result }) => ({
    'half a text': { clean: [user('read a'), call('c1', 'read', '{"a'), result('c1', 'A')] },
    'arguments that were parsed': {
      before: [user('read a'), { ...call('c1'), arguments: { path: 'a' } }, result('c1', 'A')],
      after: [user('read a'), call('c1', 'read', { path: 'a' }), result('c1', 'A')],
    },
    'no arguments': {
      before: [user('read a'), { ...call('c1'), arguments: null }, result('c1', 'A')],
      after: [user('read a'), call('c1'), result('c1', 'A')],
    },
    'a custom tool without input': {
      before: [{ ...custom('c1'), input: null }, customResult('c1')],
      after: [{ ...custom('c1'), input: '' }, customResult('c1')],
    },
  })),
  ...inDialects(['openai-agents'], ({ call, result }) => ({
    'arguments that were parsed': {
      before: [{ ...call('c1'), arguments: { path: 'a' } }, result('c1', 'A')],
      after: [call('c1', 'read', { path: 'a' }), result('c1', 'A')],
    },
  })),
];
