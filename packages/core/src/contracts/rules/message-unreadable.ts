import type { Rule } from '../../model/rule.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { quoteOrSkip } from '../unreadable.ts';

/** A provider refuses a list that holds something which is not a message. */
export const messageUnreadable: Rule = {
  id: 'message-unreadable',
  title: 'an entry of the list is not a message',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-role-enum'],
    'openai-chat': ['oc-role-enum'],
    'pydantic-ai': ['py-history'],
  },
  trigger: 'message-unreadable',
  summary:
    'A store that keeps notes beside messages, a half-written line or a bug left an entry without a role in ' +
    'the list. What can be read of it is quoted as text of the user; an entry that says nothing goes.',
  explain: () => 'this entry is not a message: it has no role',
  repair: quoteOrSkip,
  examples: () => [
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
  ],
};
