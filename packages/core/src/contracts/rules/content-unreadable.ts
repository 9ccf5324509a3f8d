import type { Rule } from '../../model/rule.ts';
import { quoteOrSkip } from '../unreadable.ts';

/** A provider refuses content that is neither text nor a list of parts. */
export const contentUnreadable: Rule = {
  id: 'content-unreadable',
  title: 'the content of a message is neither text nor a list of parts',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-content-nonempty'],
    'openai-chat': ['oc-content-null', 'oc-parts-min'],
    'pydantic-ai': ['py-history'],
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
  ],
};
