import type { Example } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { chatHostExamples } from './examples/chat-hosts.ts';
import { mistralExamples } from './examples/mistral-chat.ts';

export const examples: readonly Example[] = [
  {
    name: 'a picture from the user, a refusal alone',
    dialect: 'openai-chat',
    clean: [
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
      { role: 'assistant', content: [{ type: 'refusal', refusal: 'I cannot say who this is.' }] },
    ],
  },
  {
    name: 'a tool that returned a picture',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'what is on the screen?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } },
          { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: [
          { type: 'text', text: 'Screen 1' },
          { type: 'image_url', image_url: { url: 'https://example.com/1.png' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'call_2',
        content: [{ type: 'image_url', image_url: { url: 'https://example.com/2.png' } }],
      },
    ],
    after: [
      { role: 'user', content: 'what is on the screen?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } },
          { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'Screen 1' }] },
      { role: 'tool', tool_call_id: 'call_2', content: '' },
      {
        role: 'user',
        content: [
          { type: 'text', text: TEXTS.orphan },
          { type: 'image_url', image_url: { url: 'https://example.com/1.png' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: TEXTS.orphan },
          { type: 'image_url', image_url: { url: 'https://example.com/2.png' } },
        ],
      },
    ],
  },
  {
    name: 'media in instructions and in answers',
    dialect: 'openai-chat',
    before: [
      { role: 'developer', content: [{ type: 'file', file: { file_id: 'file_1' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Here.' },
          { type: 'image_url', image_url: { url: 'https://example.com/1.png' } },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'image_url', image_url: { url: 'https://example.com/2.png' } }],
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a cat' },
    ],
    after: [
      { role: 'user', content: [{ type: 'file', file: { file_id: 'file_1' } }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Here.' }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/1.png' } }] },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/2.png' } }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'a cat' },
    ],
  },
  {
    name: 'a refusal beside text, and pieces of other providers',
    dialect: 'openai-chat',
    before: [
      { role: 'user', content: 'who is this?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A picture.' },
          { type: 'refusal', refusal: 'I cannot say who this is.' },
          { type: 'output_text', text: 'Sorry.' },
          { type: 'hologram', beam: 'blue' },
        ],
      },
    ],
    after: [
      { role: 'user', content: 'who is this?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'A picture.' },
          { type: 'text', text: 'I cannot say who this is.' },
          { type: 'text', text: 'Sorry.' },
          { type: 'text', text: '{"type":"hologram","beam":"blue"}' },
        ],
      },
    ],
  },
  {
    name: 'parts that the schema of a framework does not know',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: [{ type: 'hologram', beam: 'blue' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Like this.' },
          { type: 'image', image: 'https://example.com/a.png' },
        ],
      },
    ],
    after: [
      { role: 'user', content: [{ type: 'text', text: '{"type":"hologram","beam":"blue"}' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Like this.' }] },
      { role: 'user', content: [{ type: 'image', image: 'https://example.com/a.png' }] },
    ],
  },
  ...mistralExamples('part-refused'),
  ...chatHostExamples('part-refused'),
];
