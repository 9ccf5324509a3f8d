import type { DemoSession } from './session.ts';

export const killedBetweenCallAndResult: DemoSession = {
  title: 'Killed between a call and its result',
  story: 'The process died while a command was running. The user started it again and typed "continue".',
  dialect: 'anthropic-messages',
  history: [
    { role: 'user', content: 'Run the tests and fix what fails.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will run the test suite first.' },
        { type: 'tool_use', id: 'toolu_01Kd7', name: 'bash', input: { command: 'npm test' } },
      ],
    },
    { role: 'user', content: 'continue' },
  ],
};
