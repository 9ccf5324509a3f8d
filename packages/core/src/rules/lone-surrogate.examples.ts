import type { Example } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';

export const examples: readonly Example[] = [
  {
    name: 'whole characters',
    dialect: 'anthropic-messages',
    clean: [{ role: 'user', content: 'smile \u{1f600}' }],
  },
  {
    name: 'a text cut inside an emoji',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: 'smile \ud83d' }],
    after: [{ role: 'user', content: 'smile \ufffd' }],
  },
  {
    name: 'a key cut inside an emoji',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'put', input: { '\udc00': 1 } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
    ],
    after: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'put', input: { '\ufffd': 1 } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
    ],
  },
  {
    name: 'an option beside the content',
    dialect: 'anthropic-messages',
    before: [{ role: 'user', content: 'hi', output_config: { style: '\ud83d' } }],
    after: [{ role: 'user', content: 'hi', output_config: { style: '\ufffd' } }],
  },
  {
    name: 'a text cut inside an emoji',
    dialect: 'openai-chat',
    before: [{ role: 'user', content: 'smile \ud83d' }],
    after: [{ role: 'user', content: 'smile \ufffd' }],
  },
  {
    name: 'a prompt cut inside an emoji',
    dialect: 'pydantic-ai',
    before: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'smile \ud83d' }] }],
    after: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'smile \ufffd' }] }],
  },
  ...converseExamples('lone-surrogate'),
  ...inTongues(({ user }) => ({
    name: 'a text cut inside an emoji, in the messages of a framework',
    before: user('smile \ud83d'),
    after: user('smile \ufffd'),
  })),
  {
    name: 'a text cut inside an emoji',
    dialect: 'gemini',
    before: [{ role: 'user', parts: [{ text: 'smile \ud83d' }] }],
    after: [{ role: 'user', parts: [{ text: 'smile \ufffd' }] }],
  },
  ...itemExamples('lone-surrogate'),
  ...agentExamples('lone-surrogate'),
  ...mistralExamples('lone-surrogate'),
  ...interfaceExamples('lone-surrogate'),
];
