import type { Example } from '../model/rule.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages'], ({ user, say, system, call, found, image, result, search, text }) => ({
    'calls by the assistant, results by the user': {
      clean: [user('list the files'), say(call('toolu_1', 'ls')), user(result('toolu_1', 'a.txt'))],
    },
    'a call, its result and the answer stored as one message': {
      before: [user('list the files'), say('Looking.', call('toolu_1', 'ls'), result('toolu_1', 'a.txt'), 'One file.')],
      after: [
        user('list the files'),
        say('Looking.', call('toolu_1', 'ls')),
        user(result('toolu_1', 'a.txt')),
        say(text('One file.')),
      ],
    },
    'a search of the provider stored with the question': {
      before: [user('search', search('srvtoolu_1'), found('srvtoolu_1')), say('Found it.')],
      after: [user(text('search')), say(search('srvtoolu_1'), found('srvtoolu_1')), say('Found it.')],
    },
    'an image in a system message': {
      model: 'claude-opus-4-8',
      before: [user('hi'), system(image, 'This is how it looks.')],
      after: [user('hi'), user(image), system(text('This is how it looks.'))],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, system, call, picture, result }) => ({
    'a result stored in the message that made the call': {
      model: 'gemini-2.5-flash',
      before: [user('list'), say(call('ls'), result('ls', 'a.txt'))],
      after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'))],
    },
    'a call in the mouth of the user': {
      model: 'gemini-2.5-flash',
      before: [user('list', call('ls')), user(result('ls', 'a.txt'))],
      after: [user('list'), say(call('ls')), user(result('ls', 'a.txt'))],
    },
    'a picture in a system message': {
      before: [user('hi'), system(picture)],
      after: [user('hi'), user(picture)],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user, say, call, result }) => ({
    'a return stored in the response that made the call': {
      before: [user('list the files'), say(call('call_1', 'ls', '{}'), result('call_1', 'a.txt', 'ls'))],
      after: [user('list the files'), say(call('call_1', 'ls', '{}')), user(result('call_1', 'a.txt', 'ls'))],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user, say, call, result }) => ({
    'a call and its result stored as one message': {
      before: [user('read a'), say(call('tooluse_1'), result('tooluse_1', 'A'))],
      after: [user('read a'), say(call('tooluse_1')), user(result('tooluse_1', 'A'))],
    },
    'a tool that the service runs itself': {
      model: 'us.amazon.nova-2-lite-v1:0',
      clean: [
        user('add'),
        say(
          { toolUse: { toolUseId: 't1', name: 'nova_code_interpreter', input: {}, type: 'server_tool_use' } },
          result('t1', [{ json: { out: 2 } }], { type: 'nova_code_interpreter_result' }),
          'Two.',
        ),
      ],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ user, say, call, result, results, returned, text, userText }) => ({
    'a result stored in the answer that made the call, and a remark among results': {
      before: [
        userText('read a'),
        say(call('c1'), returned('c1', 'A'), 'Done.'),
        say(call('c1')),
        results(text('slow today'), returned('c1', 'A')),
      ],
      after: [
        userText('read a'),
        say(call('c1')),
        result('c1', 'A'),
        say('Done.'),
        say(call('c1')),
        result('c1', 'A'),
        user('slow today'),
      ],
    },
  })),
];
