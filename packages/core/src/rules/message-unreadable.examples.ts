import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

export const examples: readonly Example[] = [
  {
    name: 'a list of messages only',
    dialect: 'anthropic-messages',
    clean: [{ role: 'user', content: 'hi' }],
  },
  {
    name: 'a note without a role',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: 'hi' }, { note: 'the build is red' }, { role: 'assistant', content: 'Hello' }],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: [{ type: 'text', text: `${TEXTS.unreadable} {"note":"the build is red"}` }] },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'a hole in the list',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: 'hi' }, null, { role: 'assistant', content: 'Hello' }],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'discard: the note goes',
    dialect: 'anthropic-messages',
    options: { policy: 'discard' },
    before: [{ role: 'user', content: 'hi' }, { note: 'the build is red' }, { role: 'assistant', content: 'Hello' }],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'a bare text among the messages',
    dialect: 'openai-chat',
    before: [{ role: 'user', content: 'hi' }, 'the build is red', { role: 'assistant', content: 'Hello' }],
    after: [
      { role: 'user', content: 'hi' },
      { role: 'user', content: `${TEXTS.unreadable} the build is red` },
      { role: 'assistant', content: 'Hello' },
    ],
  },
  {
    name: 'a note without a kind',
    dialect: 'pydantic-ai',
    before: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] }, { note: 'the build is red' }],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
      {
        kind: 'request',
        parts: [{ part_kind: 'user-prompt', content: `${TEXTS.unreadable} {"note":"the build is red"}` }],
      },
    ],
  },
  ...converseExamples('message-unreadable'),
  ...inTongues(({ user }) => ({
    name: 'a note among the messages of a framework',
    before: [...user('hi'), { note: 'the build is red' }],
    after: [...user('hi'), ...user(`${TEXTS.unreadable} {"note":"the build is red"}`)],
  })),
  {
    name: 'a bare text among the contents',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      'the build is red',
      { role: 'model', parts: [{ text: 'Hello' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'user', parts: [{ text: `${TEXTS.unreadable} the build is red` }] },
      { role: 'model', parts: [{ text: 'Hello' }] },
    ],
  },
  ...itemExamples('message-unreadable'),
  ...agentExamples('message-unreadable'),
  ...mistralExamples('message-unreadable'),
  ...interfaceExamples('message-unreadable'),
];
