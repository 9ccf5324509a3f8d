import type { DemoSession } from './session.ts';

export const orphanAfterCut: DemoSession = {
  title: 'A result whose call was cut away',
  story: 'A sliding window kept the last messages and cut between a call and its result.',
  dialect: 'anthropic-messages',
  history: [
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_gone', content: '14 files changed' }] },
    { role: 'assistant', content: 'The change touches 14 files.' },
    { role: 'user', content: 'Which of them are tests?' },
  ],
};
