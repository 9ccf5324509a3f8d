import type { Rule } from '../../model/rule.ts';
import { converseExamples } from '../examples/bedrock-converse.ts';
import { mistralExamples } from '../examples/mistral-chat.ts';
import { quoteOrSkip } from '../unreadable.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { itemExamples } from '../examples/openai-responses.ts';
import { agentExamples } from '../examples/openai-agents.ts';
import { interfaceExamples } from '../examples/ai-sdk-ui.ts';
import { chainExamples } from '../examples/langchain.ts';

/** A provider refuses content that is neither text nor a list of parts. */
export const contentUnreadable: Rule = {
  id: 'content-unreadable',
  title: 'the content of a message is neither text nor a list of parts',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-part-type', 'or-reason-shape'],
    'openai-responses': ['or-part-type'],
    gemini: ['ge-parts'],
    'anthropic-messages': ['an-content-nonempty'],
    'openai-chat': ['oc-content-null', 'oc-parts-min'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-content-empty'],
    'ai-sdk-model': ['ai-schema'],
    'mistral-chat': ['mi-chunks'],
    'ai-sdk-ui': ['ai-schema'],
    langchain: ['oc-content-null'],
  },
  trigger: 'content-unreadable',
  summary:
    'A stored message lost its content, or holds it in a shape of its own: one part without a list around ' +
    'it, a number, an object. What can be read of it becomes text or parts; a message without any content ' +
    'goes.',
  explain: () => 'the content of this message can be read neither as text nor as a list of parts',
  repair: quoteOrSkip,
  examples: () => [
    {
      name: 'text, and a list of parts',
      dialect: 'anthropic-messages',
      clean: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
      ],
    },
    {
      name: 'one part without a list around it',
      dialect: 'anthropic-messages',
      before: [{ role: 'user', content: { type: 'text', text: 'hi' } }],
      after: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    },
    {
      name: 'a message that lost its content',
      dialect: 'anthropic-messages',
      before: [{ role: 'user', content: 'hi' }, { role: 'user' }],
      after: [{ role: 'user', content: 'hi' }],
    },
    {
      name: 'discard: the message goes',
      dialect: 'anthropic-messages',
      options: { policy: 'discard' },
      before: [
        { role: 'user', content: 'hi' },
        { role: 'user', content: 42 },
      ],
      after: [{ role: 'user', content: 'hi' }],
    },
    {
      name: 'content that is an object',
      dialect: 'openai-chat',
      before: [{ role: 'user', content: { text: 'hi' } }],
      after: [{ role: 'user', content: 'hi' }],
    },
    {
      name: 'parts that are a text',
      dialect: 'pydantic-ai',
      before: [{ kind: 'request', parts: 'hi' }],
      after: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] }],
    },
    ...converseExamples('content-unreadable'),
    {
      name: 'one part without a list around it, and a number',
      dialect: 'ai-sdk-model',
      before: [
        { role: 'user', content: { type: 'text', text: 'hi' } },
        { role: 'assistant', content: 42 },
        { role: 'tool', content: 'lost' },
      ],
      after: [
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { role: 'assistant', content: '42' },
        { role: 'user', content: [{ type: 'text', text: `${TEXTS.orphan} lost` }] },
      ],
    },
    {
      name: 'parts that are a text',
      dialect: 'gemini',
      before: [{ role: 'user', parts: 'hi' }],
      after: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
    {
      name: 'content in the place of parts',
      dialect: 'gemini',
      before: [{ role: 'user', content: 'hi' }],
      after: [{ role: 'user', parts: [{ text: 'hi' }] }],
    },
    ...itemExamples('content-unreadable'),
    ...agentExamples('content-unreadable'),
    ...mistralExamples('content-unreadable'),
    ...interfaceExamples('content-unreadable'),
    ...chainExamples('content-unreadable'),
  ],
};
