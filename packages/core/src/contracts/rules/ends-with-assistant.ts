import { textPart } from '../../model/part.ts';
import type { Rule } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { prefillRefusal } from '../prefill.ts';

/** A request that ends in the assistant's own words asks the model to continue them, which most models refuse. */
export const endsWithAssistant: Rule = {
  id: 'ends-with-assistant',
  title: 'the request ends with an assistant message',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    'anthropic-messages': ['an-prefill', 'an-prefill-tools', 'an-prefill-thinking'],
    'pydantic-ai': ['py-history'],
  },
  trigger: 'ends-with-assistant',
  summary:
    'A stream was stopped in the middle of an answer and the session was resumed without a new question. A ' +
    'short user message is added. A turn that the provider paused may be sent back as it is.',
  detect: (found) => {
    const { parts } = found.message(found.fact.message);
    // An open call will be answered behind this message, and an empty message goes; neither is the end then.
    if (parts.length === 0 || parts.some((part) => part.kind === 'call' && !part.server)) return false;
    return prefillRefusal(found) !== undefined;
  },
  explain: () => 'the last message is from the assistant',
  providerError: {
    'anthropic-messages': (found) => prefillRefusal(found),
    'pydantic-ai': () => 'Processed history must end with a `ModelRequest`.',
  },
  repair: (found) => ({
    edits: [
      {
        kind: 'insert',
        message: found.count,
        messages: [{ role: 'user', parts: [textPart(TEXTS.proceed, 0)], at: -1 }],
      },
    ],
    action: 'synthesize',
    loss: 'synthetic',
    note: `added a user message at the end: ${TEXTS.proceed}`,
  }),
  examples: () => [
    {
      name: 'a stored history may end so',
      dialect: 'anthropic-messages',
      clean: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'Hello' },
      ],
    },
    {
      name: 'resumed in the middle of an answer',
      dialect: 'anthropic-messages',
      before: {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Hello, I' },
        ],
      },
      after: {
        messages: [
          { role: 'user', content: 'hi' },
          { role: 'assistant', content: 'Hello, I' },
          { role: 'user', content: [{ type: 'text', text: TEXTS.proceed }] },
        ],
      },
    },
    {
      name: 'resumed in the middle of an answer',
      dialect: 'pydantic-ai',
      before: {
        messages: [
          { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
          { kind: 'response', parts: [{ part_kind: 'text', content: 'Hello, I' }] },
        ],
      },
      after: {
        messages: [
          { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
          { kind: 'response', parts: [{ part_kind: 'text', content: 'Hello, I' }] },
          { kind: 'request', parts: [{ part_kind: 'user-prompt', content: TEXTS.proceed }] },
        ],
      },
    },
  ],
};
