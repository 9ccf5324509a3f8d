import type { Example } from '../model/rule.ts';

const SAID = { messages: [{ role: 'user', content: 'hi' }] };

/** The least that can be sent, by dialect. */
const BODIES: readonly (readonly [dialect: string, body: object])[] = [
  ['anthropic-messages', { model: 'claude-opus-4-5', max_tokens: 1, ...SAID }],
  ['openai-chat', { model: 'gpt-4.1', ...SAID }],
  ['mistral-chat', { model: 'mistral-large-latest', ...SAID }],
  ['openai-responses', { model: 'gpt-5', input: [{ role: 'user', content: 'hi' }] }],
  ['bedrock-converse', { messages: [{ role: 'user', content: [{ text: 'hi' }] }] }],
];

export const examples: readonly Example[] = [
  ...BODIES.flatMap(([dialect, body]) => [
    {
      name: 'an option cut inside an emoji',
      dialect,
      before: { ...body, metadata: { run: 'smile \ud83d' } },
      after: { ...body, metadata: { run: 'smile \ufffd' } },
    },
    { name: 'an option that JSON can carry', dialect, clean: { ...body, metadata: { run: '7' } } },
  ]),
  {
    name: 'an instruction cut inside an emoji',
    dialect: 'gemini',
    before: {
      systemInstruction: { parts: [{ text: 'smile \ud83d' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
    after: {
      systemInstruction: { parts: [{ text: 'smile \ufffd' }] },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
  },
];
