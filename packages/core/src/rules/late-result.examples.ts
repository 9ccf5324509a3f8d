import type { Example } from '../model/rule.ts';
import { RESULT_TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['ai-sdk-model', 'langchain'], ({ user, say, call, closed, result }) => ({
    'the tool answered after the session had been resumed': {
      before: [say(call('c1')), closed('c1'), user('and?'), result('c1', 'A')],
      after: [say(call('c1')), result('c1', 'A'), user('and?')],
    },
  })),
  ...inDialects(['openai-responses', 'openai-agents'], ({ user, call, closed, result }) => ({
    'the tool answered after the session had been resumed': {
      before: [call('c1'), closed('c1'), user('still there?'), result('c1', 'built')],
      after: [call('c1'), result('c1', 'built'), user('still there?')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, closed, result }) => ({
    'the tool answered after the session had been resumed': {
      before: [
        user('build it'),
        say(call('toolu_1', 'build')),
        user(closed('toolu_1'), 'still there?'),
        say('Yes.'),
        user(result('toolu_1', 'built')),
      ],
      after: [
        user('build it'),
        say(call('toolu_1', 'build')),
        user(result('toolu_1', 'built'), 'still there?'),
        say('Yes.'),
      ],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, closed, result }) => ({
    'the tool answered after the session had been resumed': {
      before: [
        user('build it'),
        say(call('call_1', 'build')),
        closed('call_1'),
        user('still there?'),
        result('call_1', 'built'),
      ],
      after: [user('build it'), say(call('call_1', 'build')), result('call_1', 'built'), user('still there?')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, closed, result }) => ({
    'the tool answered after all': {
      before: [user('read a'), say(call('aB3dE6gH9')), closed('aB3dE6gH9'), say('Hm.'), result('aB3dE6gH9', 'A')],
      after: [user('read a'), say(call('aB3dE6gH9')), result('aB3dE6gH9', 'A'), say('Hm.')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, closed, result }) => ({
    'the tool answered after the session had been resumed': {
      model: 'gemini-2.5-flash',
      before: [user('build it'), say(call('build')), user(closed('build')), user(result('build', 'built'))],
      after: [user('build it'), say(call('build')), user(result('build', 'built'))],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'the tool answered after the session had been resumed': {
      before: [
        say(call('c1', 'build')),
        user(result('c1', RESULT_TEXTS.unknown, 'build'), 'still there?', result('c1', 'built', 'build')),
      ],
      after: [say(call('c1', 'build')), user(result('c1', 'built', 'build'), 'still there?')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, closed, result }) => ({
    'the tool answered after all': {
      model: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      before: [
        user('read a'),
        say(call('tooluse_1')),
        user(closed('tooluse_1')),
        say('Hm.'),
        user(result('tooluse_1', 'A')),
      ],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A')), say('Hm.')],
    },
  })),
];
