import type { DemoSession } from './session.ts';

export const abortedThinking: DemoSession = {
  title: 'A stream aborted while the model was thinking',
  story: 'The connection broke before the thinking was signed; what had arrived was saved.',
  dialect: 'anthropic-messages',
  history: [
    { role: 'user', content: 'Why is the nightly build slow?' },
    {
      role: 'assistant',
      content: [
        {
          type: 'thinking',
          thinking: 'The cache key contains the date, so it never hits. Let me check',
          signature: '',
        },
      ],
    },
    { role: 'user', content: 'Are you still there?' },
  ],
};
