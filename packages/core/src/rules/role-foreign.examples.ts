import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { result as anthropicResult } from './examples/anthropic-messages.ts';
import { inDialects } from './examples/in-dialects.ts';
import { result as chatResult } from './examples/openai-chat.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, added, call, result, text }) => ({
    'the roles of this dialect': { clean: [user('hi'), say('Hello')] },
    'a result in a message of its own': {
      before: [user('list the files'), say(call('toolu_1', 'ls')), chatResult('toolu_1', 'a.txt')],
      after: [user('list the files'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
    },
    'a role nobody knows': {
      before: [user('hi'), { role: 'narrator', content: 'Night falls.' }],
      after: [user('hi'), added(`${TEXTS.unreadable} Night falls.`)],
    },
    'discard: a known role is still replaced, an unknown one goes': {
      options: { policy: 'discard' },
      before: [
        { role: 'human', content: 'hi' },
        { role: 'narrator', content: 'Night falls.' },
        { role: 'ai', content: 'Hello' },
      ],
      after: [user(text('hi')), say(text('Hello'))],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say }) => ({
    'the role another provider gives its model': {
      before: [user('hi'), { role: 'model', content: 'Hello' }],
      after: [user('hi'), say('Hello')],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, system, developer, text }) => ({
    'instructions under the name of another provider': {
      before: [developer('Be brief.'), user('hi')],
      after: [system('Be brief.'), user('hi')],
    },
    'a list of parts in a role nobody knows': {
      before: [{ role: 'model', content: [text('Hello')] }, user('hi')],
      after: [say(text('Hello')), user('hi')],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result, text }) => ({
    'the role another provider gives its model': {
      before: [user('hi'), { role: 'assistant', parts: [text('Hello')] }],
      after: [user('hi'), say('Hello')],
    },
    'a response under a role of its own': {
      model: 'gemini-2.5-flash',
      before: [user('list'), say(call('ls')), { role: 'function', parts: [result('ls', 'a.txt')] }],
      after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'))],
    },
    'a result in the shape of another provider': {
      model: 'gemini-2.5-flash',
      before: [user('list'), say(call('ls', {}, 'c1')), chatResult('c1', 'a.txt')],
      after: [user('list'), say(call('ls', {}, 'c1')), user(result('ls', 'a.txt', 'c1'))],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, added }) => ({
    'a kind nobody knows': {
      before: [user('hi'), { kind: 'note', content: 'Night falls.' }],
      after: [user('hi'), added(`${TEXTS.unreadable} Night falls.`)],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'a result in a message of its own': {
      before: [user('read a'), say(call('tooluse_1')), chatResult('tooluse_1', 'A')],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ say }) => ({
    'a role of another format': {
      before: [{ role: 'model', content: 'Hello' }],
      after: [say('Hello')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user, added }) => ({
    'a result in a message of its own': {
      before: [user('hi'), chatResult('c1', 'A')],
      after: [user('hi'), added(`${TEXTS.orphan} A`, 1)],
    },
  })),
  ...inDialects(['langchain'], ({ user, added }) => ({
    'a type of another format, and an order to remove a message': {
      before: [user('hi'), { type: 'narrator', content: 'Night falls.' }, { type: 'remove', id: 'm1', content: [] }],
      after: [user('hi'), added(`${TEXTS.unreadable} Night falls.`)],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, say, call, closed, result }) => ({
    'messages of another API': {
      before: [user('list'), call('c1'), chatResult('c1', 'a.txt')],
      after: [user('list'), call('c1'), result('c1', 'a.txt')],
    },
    'a result of another API': {
      before: [user('list'), call('c1'), anthropicResult('c1', 'a.txt')],
      after: [user('list'), call('c1'), result('c1', 'a.txt')],
    },
    'text beside calls': {
      before: [
        { role: 'ai', content: 'Looking.', tool_calls: [{ id: 'a', function: { name: 'ls', arguments: '{}' } }] },
      ],
      after: [say('Looking.'), call('a', 'ls'), closed('a')],
    },
  })),
  ...inDialects(['openai-agents'], ({ say, call, closed, result }) => ({
    'an output in the spelling of the API, and a message of a chat': {
      before: [
        call('c1'),
        { type: 'function_call_output', call_id: 'c1', output: 'A' },
        { role: 'ai', content: 'Done.' },
        { role: 'developer', content: 'Be brief.' },
      ],
      after: [call('c1'), result('c1', 'A'), say('Done.'), { role: 'system', content: 'Be brief.' }],
    },
    'calls beside other content': {
      before: [
        { role: 'ai', content: 'Looking.', tool_calls: [{ id: 'a', function: { name: 'ls', arguments: '{}' } }] },
      ],
      after: [say('Looking.'), call('a', 'ls'), { ...closed('a'), name: 'ls' }],
    },
  })),
];
