import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { inDialects } from './examples/in-dialects.ts';

export const examples: readonly Example[] = [
  ...inDialects(['anthropic-messages', 'openai-chat', 'mistral-chat', 'openai-agents'], ({ user, text }) => ({
    'a part that lost its type': {
      before: [user({ text: 'hi' })],
      after: [user(text('hi'))],
    },
  })),
  ...inDialects(['gemini', 'bedrock-converse'], ({ user }) => ({
    'a part of a kind we do not know is carried as it is': { clean: [user({ hologram: { beam: 'blue' } })] },
  })),
  ...inDialects(['anthropic-messages'], ({ user, added, text }) => ({
    'a part of a kind we do not know is carried as it is': { clean: [user({ type: 'hologram', beam: 'blue' })] },
    'bare texts, a hole, and an object nobody knows': {
      before: [{ role: 'user', content: ['hi', null, { beam: 'blue' }] }],
      after: [user('hi', `${TEXTS.unreadable} {"beam":"blue"}`)],
    },
    'a text that is not one, and a text part without any': {
      before: [user({ type: 'text', text: 5 }, { type: 'text' })],
      after: [added(`${TEXTS.unreadable} 5`)],
    },
    'discard: the part goes': {
      options: { policy: 'discard' },
      before: [user('hi', { beam: 'blue' })],
      after: [user(text('hi'))],
    },
  })),
  ...inDialects(['gemini'], ({ user, say, signed }) => ({
    'what a writer leaves of an empty text': {
      before: [user('hi'), say({}, 'Hello')],
      after: [user('hi'), say('Hello')],
    },
    'a signature whose empty text was left out': {
      before: [user('hi'), say('Hello', signed({}))],
      after: [user('hi'), say('Hello', { ...signed({}), text: '' })],
    },
    'a bare text, a list, a call that is a text': {
      before: [{ role: 'user', parts: ['hi', ['a'], { functionCall: 'ls' }] }],
      after: [user('hi', `${TEXTS.unreadable} ["a"]`, `${TEXTS.unreadable} {"functionCall":"ls"}`)],
    },
    'parts of other formats, which say what they are': {
      before: [
        user(
          { part_kind: 'user-prompt', content: 'hi' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ),
      ],
      after: [user('hi', `${TEXTS.unreadable} {"type":"image_url","image_url":{"url":"https://example.com/a.png"}}`)],
    },
  })),
  ...inDialects(['pydantic-ai'], ({ user }) => ({
    'a part that lost its kind': {
      before: [user({ content: 'hi' })],
      after: [user('hi')],
    },
  })),
  ...inDialects(['bedrock-converse'], ({ user }) => ({
    'a bare text, and a part of another provider': {
      before: [{ role: 'user', content: ['hi', { type: 'hologram', beam: 'blue' }] }],
      after: [user('hi', `${TEXTS.unreadable} {"type":"hologram","beam":"blue"}`)],
    },
  })),
  ...inDialects(['ai-sdk-model'], ({ user }) => ({
    'a part that lost its type': {
      before: [user({ text: 'hi' })],
      after: [user('hi')],
    },
  })),
  ...inDialects(['ai-sdk-ui'], ({ user }) => ({
    'a part that lost its type, and a file that is nowhere': {
      before: [user({ text: 'hi' }, { type: 'file', mediaType: 'image/png', url: 'a.png' })],
      after: [user('hi', `${TEXTS.unreadable} {"type":"file","mediaType":"image/png","url":"a.png"}`)],
    },
  })),
  ...inDialects(['langchain'], ({ say, text }) => ({
    'a part that lost its type, beside a bare text': {
      before: [{ type: 'human', content: ['so', { text: 'hi' }] }],
      after: [{ type: 'human', content: ['so', text('hi')] }],
    },
    'a call that is none': {
      before: [{ type: 'ai', content: 'Let me see.', tool_calls: ['read a'] }],
      after: [say('Let me see.', 'read a')],
    },
  })),
  ...inDialects(['openai-responses'], ({ say, outputText }) => ({
    'a piece that lost its type': {
      before: [say({ text: 'Hello' }, { type: 'output_text' })],
      after: [say(outputText('Hello'))],
    },
  })),
];
