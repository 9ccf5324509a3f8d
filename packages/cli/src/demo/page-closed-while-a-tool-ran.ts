import type { DemoSession } from './session.ts';

export const pageClosedWhileAToolRan: DemoSession = {
  title: 'AI SDK: the page was closed while a tool ran',
  story: 'The messages of a chat page were stored with a tool part whose output never came.',
  dialect: 'ai-sdk-ui',
  history: [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'What is in the readme?' }] },
    {
      id: 'm2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-readFile', toolCallId: 'c1', state: 'input-available', input: { path: 'README.md' } },
      ],
    },
    { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] },
  ],
};
