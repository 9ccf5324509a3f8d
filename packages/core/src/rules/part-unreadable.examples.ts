import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

export const examples: readonly Example[] = [
  {
    name: 'a part of a kind we do not know is carried as it is',
    dialect: 'anthropic-messages',
    clean: [{ role: 'user', content: [{ type: 'hologram', beam: 'blue' }] }],
  },
  {
    name: 'a part that lost its type',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: [{ text: 'hi' }] }],
    after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  },
  {
    name: 'bare texts, a hole, and an object nobody knows',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: ['hi', null, { beam: 'blue' }] }],
    after: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'text', text: `${TEXTS.unreadable} {"beam":"blue"}` },
        ],
      },
    ],
  },
  {
    name: 'a text that is not one, and a text part without any',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: [{ type: 'text', text: 5 }, { type: 'text' }] }],
    after: [{ role: 'user', content: [{ type: 'text', text: `${TEXTS.unreadable} 5` }] }],
  },
  {
    name: 'discard: the part goes',
    dialect: 'anthropic-messages',
    options: { policy: 'discard' },
    before: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, { beam: 'blue' }] }],
    after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  },
  {
    name: 'a part that lost its type',
    dialect: 'openai-chat',
    before: [{ role: 'user', content: [{ text: 'hi' }] }],
    after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  },
  {
    name: 'a part that lost its kind',
    dialect: 'pydantic-ai',
    before: [{ kind: 'request', parts: [{ content: 'hi' }] }],
    after: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] }],
  },
  ...converseExamples('part-unreadable'),
  {
    name: 'a part that lost its type',
    dialect: 'ai-sdk-model',
    before: [{ role: 'user', content: [{ text: 'hi' }] }],
    after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  },
  {
    name: 'what a writer leaves of an empty text',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{}, { text: 'Hello' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'Hello' }] },
    ],
  },
  {
    name: 'a signature whose empty text was left out',
    dialect: 'gemini',
    before: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'Hello' }, { thoughtSignature: 'c2ln' }] },
    ],
    after: [
      { role: 'user', parts: [{ text: 'hi' }] },
      { role: 'model', parts: [{ text: 'Hello' }, { thoughtSignature: 'c2ln', text: '' }] },
    ],
  },
  {
    name: 'a bare text, a list, a call that is a text',
    dialect: 'gemini',
    before: [{ role: 'user', parts: ['hi', ['a'], { functionCall: 'ls' }] }],
    after: [
      {
        role: 'user',
        parts: [
          { text: 'hi' },
          { text: `${TEXTS.unreadable} ["a"]` },
          { text: `${TEXTS.unreadable} {"functionCall":"ls"}` },
        ],
      },
    ],
  },
  {
    name: 'parts of other formats, which say what they are',
    dialect: 'gemini',
    before: [
      {
        role: 'user',
        parts: [
          { part_kind: 'user-prompt', content: 'hi' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
    ],
    after: [
      {
        role: 'user',
        parts: [
          { text: 'hi' },
          {
            text: `${TEXTS.unreadable} {"type":"image_url","image_url":{"url":"https://example.com/a.png"}}`,
          },
        ],
      },
    ],
  },
  {
    name: 'a part of a kind we do not know is carried as it is',
    dialect: 'gemini',
    clean: [{ role: 'user', parts: [{ hologram: { beam: 'blue' } }] }],
  },
  ...itemExamples('part-unreadable'),
  ...agentExamples('part-unreadable'),
  ...mistralExamples('part-unreadable'),
  ...interfaceExamples('part-unreadable'),
  ...chainExamples('part-unreadable'),
];
