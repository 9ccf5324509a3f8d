import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS, TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ say, call, result }) => ({
    'ids rewritten on one side': {
      before: [say(call('c1')), result('x1', 'A')],
      after: [say(call('c1')), result('c1', 'A')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'ids rewritten on one side': {
      before: [user('read a'), say(call('toolu_1', 'read', { path: 'a' })), user(result('call_1', 'A'))],
      after: [user('read a'), say(call('toolu_1', 'read', { path: 'a' })), user(result('toolu_1', 'A'))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, result }) => ({
    'ids rewritten on one side': {
      before: [user('read a'), say(call('call_1', 'read', { path: 'a' })), result('toolu_1', 'A')],
      after: [user('read a'), say(call('call_1', 'read', { path: 'a' })), result('call_1', 'A')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'ids rewritten on one side': {
      before: [user('read a'), say(call('aB3dE6gH9')), result('bB3dE6gH9', 'A')],
      after: [user('read a'), say(call('aB3dE6gH9')), result('aB3dE6gH9', 'A')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result, signed }) => ({
    'an id rewritten on one side': {
      before: [user('read'), say(signed(call('read', {}, 'a'))), user(result('read', 'A', 'b'))],
      after: [user('read'), say(signed(call('read', {}, 'a'))), user(result('read', 'A', 'a'))],
    },
    'an id that was lost': {
      before: [user('read'), say(signed(call('read', {}, 'a'))), user(result('read', 'A'))],
      after: [user('read'), say(signed(call('read', {}, 'a'))), user(result('read', 'A', 'a'))],
    },
    'a call without an id takes any result': {
      clean: [user('read'), say(signed(call('read'))), user(result('read', 'A', 'b'))],
    },
    'an older model counts results and looks at no id': {
      model: 'gemini-2.5-flash',
      clean: [
        user('read'),
        say(signed(call('read', {}, 'a')), signed(call('read', {}, 'b'))),
        user(result('read', 'A', 'x'), result('read', 'A', 'y')),
      ],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'ids rewritten on one side': {
      before: [user('read a'), say(call('c1')), user(result('x1', 'A'))],
      after: [user('read a'), say(call('c1')), user(result('c1', 'A'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'ids rewritten on one side': {
      before: [user('read a'), say(call('tooluse_1')), user(result('call_1', 'A'))],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
    },
  })),
  ...inDialects(['langchain'], ({ say, call, closed, invalidCall, repairedCall, result }) => ({
    'only the call that the framework could not make sense of was answered': {
      before: [
        { ...say(call('c2', 'read', { path: 'a' })), invalid_tool_calls: [invalidCall('c1')] },
        result('c1', 'No.'),
      ],
      after: [
        { ...say(call('c2', 'read', { path: 'a' }), repairedCall('c1')), invalid_tool_calls: [] },
        result('c1', 'No.'),
        closed('c2'),
      ],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, added, call, custom, customResult, result }) => ({
    'ids rewritten on one side': {
      before: [user('read a'), call('c1'), result('toolu_1', 'A')],
      after: [user('read a'), call('c1'), result('c1', 'A')],
    },
    'an output of the wrong kind': {
      before: [custom('c1'), user('and?'), result('c1', 'A')],
      after: [custom('c1'), customResult('c1', 'A'), user('and?')],
    },
    'an output of a kind that has nothing in common with the call': {
      before: [{ type: 'apply_patch_call', call_id: 'c1' }, result('c1', 'A')],
      after: [
        { type: 'apply_patch_call', call_id: 'c1' },
        { type: 'apply_patch_call_output', call_id: 'c1', status: 'failed', output: RESULT_TEXTS.unknown },
        added(`${TEXTS.orphan} A`),
      ],
    },
    'an output without an id, behind a call of another kind': {
      before: [
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', output: [] },
      ],
      after: [
        { type: 'shell_call', call_id: 'c1' },
        { type: 'shell_call_output', call_id: 'c1', output: [] },
      ],
    },
  })),
  ...inDialects(['openai-agents'], ({ added, call, result, shell, shellResult }) => ({
    'ids rewritten on one side': {
      before: [call('c1'), result('toolu_1', 'A')],
      after: [call('c1'), result('c1', 'A')],
    },
    'a result of the wrong kind': {
      before: [shell, { ...result('c1', 'A'), name: '' }],
      after: [shell, shellResult('', RESULT_TEXTS.unknown, { type: 'timeout' }), added(`${TEXTS.orphan} A`)],
    },
  })),
];
