import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { call as anthropicCall, result as anthropicResult } from './examples/anthropic-messages.ts';
import { inDialects } from './examples/in-dialects.ts';
import { call as chatCall, result as chatResult, say as chatSay } from './examples/openai-chat.ts';

/** A call as an earlier version of the AI SDK had it, and the part that held it. */
const oldCall = (toolCallId: string, more: object = {}): object => ({
  toolCallId,
  toolName: 'read',
  args: { path: 'a' },
  ...more,
});
const invocation = (id: string, more: object = {}): object => ({
  type: 'tool-invocation',
  toolInvocation: oldCall(id, more),
});

/** A LangChain answer that calls in the form of OpenAI's oldest models. */
const oldest = (content: string): object => ({
  type: 'ai',
  content,
  additional_kwargs: { function_call: { name: 'ls', arguments: '{}' } },
});

export const examples: readonly Example[] = [
  ...inDialects(['openai-chat', 'mistral-chat', 'openai-responses'], ({ user }) => ({
    'content that is an object': {
      before: [{ role: 'user', content: { text: 'hi' } }],
      after: [user('hi')],
    },
  })),
  ...inDialects(['anthropic-messages', 'openai-responses'], ({ user, text }) => ({
    'one part without a list around it': {
      before: [{ role: 'user', content: text('hi') }],
      after: [user(text('hi'))],
    },
  })),
  ...inDialects(['gemini', 'bedrock-converse'], ({ user }) => ({
    'content that is a text': {
      before: [{ role: 'user', content: 'hi' }],
      after: [user('hi')],
    },
  })),
  ...inDialects(['anthropic-messages'], ({ user, say, call, result, text }) => ({
    'text, and a list of parts': { clean: [user('hi'), say(text('Hello'))] },
    'a message that lost its content': {
      before: [user('hi'), { role: 'user' }],
      after: [user('hi')],
    },
    'discard: the message goes': {
      options: { policy: 'discard' },
      before: [user('hi'), { role: 'user', content: 42 }],
      after: [user('hi')],
    },
    'calls beside the content, as in a chat': {
      before: [user('read a'), chatSay('Let me see.', chatCall('c1', 'read', { path: 'a' })), chatResult('c1', 'A')],
      after: [user('read a'), say('Let me see.', call('c1', 'read', { path: 'a' })), user(result('c1', 'A'))],
    },
    'the one call of an older chat, and its result': {
      before: [
        user('read a'),
        { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{"path":"a"}' } },
        { role: 'function', name: 'read', content: 'A' },
      ],
      after: [
        user('read a'),
        say(call('call_read_1izxwz3197xxg7', 'read', { path: 'a' })),
        user(result('call_read_1izxwz3197xxg7', 'A')),
      ],
    },
  })),
  ...inDialects(['openai-chat'], ({ user, say, call, result }) => ({
    'calls, results and reasoning among the content, as another API has them': {
      before: [
        user('read a'),
        say(
          { type: 'thinking', thinking: 'Where is it?', signature: 'c2ln' },
          anthropicCall('toolu_1', 'read', { path: 'a' }),
        ),
        user(anthropicResult('toolu_1', 'A')),
      ],
      after: [
        user('read a'),
        say(`${TEXTS.thought}\nWhere is it?`, call('toolu_1', 'read', { path: 'a' })),
        result('toolu_1', 'A'),
      ],
    },
  })),
  ...inDialects(['mistral-chat'], ({ user, say, call, result, text }) => ({
    'a result that is a number, and one with a bare text in it': {
      before: [
        user('read a'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', 7),
        say('Seven.'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', ['A']),
      ],
      after: [
        user('read a'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', '7'),
        say('Seven.'),
        say(call('aB3dE6gH9')),
        result('aB3dE6gH9', [text('A')]),
      ],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, call, result, text }) => ({
    'parts that are a text': {
      before: [{ role: 'user', parts: 'hi' }],
      after: [user('hi')],
    },
    'a call and a result among the parts, as another API has them': {
      model: 'gemini-2.5-flash',
      before: [
        user('read a'),
        say(anthropicCall('c1', 'read', { path: 'a' })),
        user({ toolResult: { toolUseId: 'c1', content: [text('A')] } }),
      ],
      after: [user('read a'), say(call('read', { path: 'a' }, 'c1')), user(result('read', 'A', 'c1'))],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user }) => ({
    'parts that are a text': {
      before: [{ kind: 'request', parts: 'hi' }],
      after: [user('hi')],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ user, say, added, call, result, text, userText }) => ({
    'one part without a list around it, and a number': {
      before: [
        { role: 'user', content: text('hi') },
        { role: 'assistant', content: 42 },
        { role: 'tool', content: 'lost' },
      ],
      after: [user('hi'), { role: 'assistant', content: '42' }, added(`${TEXTS.orphan} lost`)],
    },
    'calls beside the content, as in a chat': {
      before: [userText('read a'), chatSay(chatCall('c1', 'read', { path: 'a' })), chatResult('c1', 'A')],
      after: [userText('read a'), say(call('c1', 'read', { path: 'a' })), result('c1', 'A')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user, say, call, done, failed, text }) => ({
    'a message of an earlier version, without parts': {
      before: [{ id: 'm1', role: 'user', content: 'hi' }],
      after: [{ id: 'm1', role: 'user', content: 'hi', parts: [text('hi')] }],
    },
    'calls of an earlier version': {
      before: [
        say(invocation('c1', { state: 'result', result: 'A' }), invocation('c2', { state: 'call' })),
        say(invocation('c3', { state: 'partial-call' }), invocation('c4', { result: 'A' }), invocation('c5')),
      ],
      after: [say(done('c1'), failed('c2')), say(call('c3', 'input-streaming'), done('c4'), failed('c5'))],
    },
    'reasoning and files of an earlier version': {
      before: [
        say({ type: 'reasoning', reasoning: 'A greeting.' }, 'Hello'),
        say({ type: 'file', mimeType: 'image/png', data: 'iVBO' }),
        say({ type: 'file', mimeType: 'image/png', data: 'https://example.com/1.png' }),
      ],
      after: [
        say({ type: 'reasoning', text: 'A greeting.' }, 'Hello'),
        say({ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBO' }),
        say({ type: 'file', mediaType: 'image/png', url: 'https://example.com/1.png' }),
      ],
    },
    'calls beside the text, in an earlier version and in a chat': {
      before: [
        {
          id: 'm2',
          role: 'assistant',
          content: '',
          toolInvocations: [oldCall('c1', { state: 'result', result: 'A' })],
        },
        { ...say('Again.'), tool_calls: [chatCall('c1', 'read', { path: 'a' })] },
      ],
      after: [{ id: 'm2', role: 'assistant', content: '', parts: [done('c1')] }, say('Again.', failed('c1'))],
    },
    'calls that only repeat what the parts say': {
      clean: [
        {
          ...say(done('c1')),
          toolInvocations: [oldCall('c1')],
          tool_calls: [{ id: 'c1' }],
        },
      ],
    },
    'one part without a list around it, and no part at all': {
      before: [
        { id: 'm1', role: 'user', parts: text('hi') },
        { id: 'm2', role: 'assistant' },
      ],
      after: [user('hi')],
    },
  })),
  ...inDialects(['langchain'], ({ user, say, call, result, text }) => ({
    'content that is a number, one part, or nothing': {
      before: [
        { type: 'human', content: 42 },
        { type: 'human', content: text('hi') },
        { type: 'human', content: null },
        say(call('c1', 'read', { path: 'a' })),
        result('c1', null),
      ],
      after: [user('42'), user(text('hi')), say(call('c1', 'read', { path: 'a' })), result('c1', '')],
    },
    'an answer that does nothing but call in the old form': {
      before: [user('go'), oldest(''), user('well?')],
      after: [user('go'), oldest('{"name":"ls","arguments":"{}"}'), user('well?')],
    },
    'a model that takes such an answer': {
      model: 'gpt-5',
      clean: [user('go'), oldest(''), user('well?')],
    },
  })),
  ...inDialects(['openai-responses'], ({ user, say, call, result, outputText }) => ({
    'words under a key of another format': {
      before: [{ role: 'user', parts: [{ text: 'hi' }] }, say('Hello')],
      after: [user('hi'), say('Hello')],
    },
    'calls beside the content, as in a chat': {
      before: [
        user('read a'),
        chatSay(chatCall('c1')),
        chatResult('c1', 'A'),
        chatSay('Again.', chatCall('c2'), chatCall('c3')),
        chatResult('c2', 'A'),
        chatResult('c3', 'A'),
      ],
      after: [
        user('read a'),
        call('c1'),
        result('c1', 'A'),
        say('Again.'),
        call('c2'),
        call('c3'),
        result('c2', 'A'),
        result('c3', 'A'),
      ],
    },
    'discard: calls beside the content are read all the same': {
      options: { policy: 'discard' },
      before: [
        user('read a'),
        { ...say(outputText('Again.')), tool_calls: [chatCall('c1')] },
        chatResult('c1', 'A'),
        { role: 'assistant', content: 7, tool_calls: [chatCall('c2')] },
        chatResult('c2', 'A'),
      ],
      after: [
        user('read a'),
        say(outputText('Again.')),
        call('c1'),
        result('c1', 'A'),
        say('7'),
        call('c2'),
        result('c2', 'A'),
      ],
    },
  })),
  ...inDialects(['openai-agents'], ({ user, answered, call, closed, result, outputText, text }) => ({
    'calls beside the content, as in a chat': {
      before: [
        chatSay(chatCall('c1')),
        chatResult('c1', 'A'),
        chatSay('Again.', chatCall('c2')),
        chatResult('c2', 'A'),
        { role: 'assistant', content: [outputText('Once more.')], tool_calls: [chatCall('c3')] },
      ],
      after: [
        call('c1'),
        result('c1', 'A'),
        { role: 'assistant', content: [outputText('Again.')] },
        call('c2'),
        result('c2', 'A'),
        { role: 'assistant', content: [outputText('Once more.')] },
        call('c3'),
        closed('c3'),
      ],
    },
    'an answer that is a bare text, a number, and one piece alone': {
      before: [
        { type: 'message', role: 'assistant', content: 'Hello' },
        { role: 'user', content: 7 },
        { role: 'user', content: text('hi') },
        { role: 'system', content: ['Be', 'brief.'] },
      ],
      after: [
        { type: 'message', role: 'assistant', content: [outputText('Hello')] },
        user(text('7')),
        user(text('hi')),
        { role: 'system', content: 'Be\nbrief.' },
      ],
    },
    'nothing said, and reasoning in the spelling of the API': {
      before: [
        { role: 'user', content: null },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'A greeting.' }] },
        answered('msg_1'),
      ],
      after: [
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'A greeting.' }],
          content: [text('A greeting.')],
        },
        answered('msg_1'),
      ],
    },
  })),
];
