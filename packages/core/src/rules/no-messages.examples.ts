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
    name: 'an empty request',
    dialect: 'anthropic-messages',
    before: { messages: [] },
    after: { messages: [{ role: 'user', content: [{ type: 'text', text: TEXTS.resumed }] }] },
  },
  {
    name: 'an empty request',
    dialect: 'openai-chat',
    before: { messages: [] },
    after: { messages: [{ role: 'user', content: TEXTS.resumed }] },
  },
  {
    name: 'an empty request',
    dialect: 'pydantic-ai',
    before: { messages: [] },
    after: { messages: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: TEXTS.resumed }] }] },
  },
  ...converseExamples('no-messages'),
  ...inTongues(({ user }) => ({
    name: 'an empty request to a framework',
    before: { messages: [] },
    after: { messages: user(TEXTS.resumed) },
  })),
  {
    name: 'an empty request',
    dialect: 'gemini',
    before: { contents: [] },
    after: { contents: [{ role: 'user', parts: [{ text: TEXTS.resumed }] }] },
  },
  ...itemExamples('no-messages'),
  ...agentExamples('no-messages'),
  ...mistralExamples('no-messages'),
  ...interfaceExamples('no-messages'),
];
