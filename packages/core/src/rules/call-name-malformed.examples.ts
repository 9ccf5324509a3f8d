import type { Example } from '../model/rule.ts';
import { fingerprint } from '../model/call-id.ts';
import { UNNAMED } from './remedies/place.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, call, result }) => ({
    'a name of 200 characters': {
      clean: [user('read a'), say(call('toolu_1', 'n'.repeat(200))), user(result('toolu_1', 'A'))],
    },
    'stopped before the name': {
      before: [user('read a'), say(call('toolu_1', '')), user(result('toolu_1', 'A'))],
      after: [user('read a'), say(call('toolu_1', UNNAMED)), user(result('toolu_1', 'A'))],
    },
    'a name of 201 characters': {
      before: [user('read a'), say(call('toolu_1', 'n'.repeat(201))), user(result('toolu_1', 'A'))],
      after: [
        user('read a'),
        say(call('toolu_1', `${'n'.repeat(185)}_${fingerprint('n'.repeat(201))}`)),
        user(result('toolu_1', 'A')),
      ],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, result }) => ({
    'a name with a dot': {
      before: [user('read a'), say(call('call_1', 'fs.read')), result('call_1', 'A')],
      after: [user('read a'), say(call('call_1', 'fs_read')), result('call_1', 'A')],
    },
    'a name of 65 characters': {
      before: [user('read a'), say(call('call_1', 'n'.repeat(65))), result('call_1', 'A')],
      after: [
        user('read a'),
        say(call('call_1', `${'n'.repeat(49)}_${fingerprint('n'.repeat(65))}`)),
        result('call_1', 'A'),
      ],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result }) => ({
    'a name with a dot': {
      before: [user('read a'), say(call('aB3dE6gH9', 'fs.read')), result('aB3dE6gH9', 'A')],
      after: [user('read a'), say(call('aB3dE6gH9', 'fs_read')), result('aB3dE6gH9', 'A')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result }) => ({
    'stopped before the name': {
      model: 'gemini-2.5-flash',
      before: [user('read a'), say(call('')), user(result('read', 'A'))],
      after: [user('read a'), say(call(UNNAMED)), user(result('read', 'A'))],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'a call that names no tool': {
      before: [user('read a'), say(call('call_1', null, '{}')), user(result('call_1', 'A'))],
      after: [user('read a'), say(call('call_1', UNNAMED, '{}')), user(result('call_1', 'A'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'a name with a dot': {
      before: [user('read a'), say(call('tooluse_1', 'fs.read')), user(result('tooluse_1', 'A'))],
      after: [user('read a'), say(call('tooluse_1', 'fs_read')), user(result('tooluse_1', 'A'))],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say, call, result }) => ({
    'a name with a dot in it': {
      before: [say(call('c1', 'multi_tool_use.parallel')), result('c1', 'A')],
      after: [say(call('c1', 'multi_tool_use_parallel')), result('c1', 'A')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ say, call, done }) => ({
    'names with a dot in them': {
      before: [
        say(
          { ...call('c1', 'output-available', 'fs.read'), output: 'A' },
          { ...done('c2'), type: 'dynamic-tool', toolName: 'fs.read' },
        ),
      ],
      after: [
        say(
          { ...call('c1', 'output-available', 'fs_read'), output: 'A' },
          { ...done('c2'), type: 'dynamic-tool', toolName: 'fs_read' },
        ),
      ],
    },
  })),
  ...inDialects(['langchain'], ({ say, call, result }) => ({
    'a name with a dot in it': {
      before: [say(call('c1', 'fs.read', { path: 'a' })), result('c1', 'A')],
      after: [say(call('c1', 'fs_read', { path: 'a' })), result('c1', 'A')],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, call, result }) => ({
    'a name of 128 characters with a dot': {
      clean: [user('read a'), call('c1', `fs.${'n'.repeat(125)}`), result('c1', 'A')],
    },
    'stopped before the name': {
      before: [user('read a'), call('c1', ''), result('c1', 'A')],
      after: [user('read a'), call('c1', UNNAMED), result('c1', 'A')],
    },
    'a name of 129 characters': {
      before: [user('read a'), call('c1', 'n'.repeat(129)), result('c1', 'A')],
      after: [user('read a'), call('c1', `${'n'.repeat(113)}_${fingerprint('n'.repeat(129))}`), result('c1', 'A')],
    },
  })),
  ...inDialects(['openai-agents'], ({ call, result }) => ({
    'stopped before the name': {
      before: [call('c1', ''), result('c1', 'A')],
      after: [call('c1', UNNAMED), result('c1', 'A')],
    },
  })),
];
