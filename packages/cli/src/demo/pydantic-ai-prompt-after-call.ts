import type { DemoSession } from './session.ts';

export const pydanticAiPromptAfterCall: DemoSession = {
  title: 'pydantic-ai: a prompt after an unprocessed call',
  story: 'The agent was cancelled in the middle of a run; the stored messages were loaded for the next one.',
  dialect: 'pydantic-ai',
  history: [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Book the 9:40 to Bergen.' }] },
    {
      kind: 'response',
      parts: [
        { part_kind: 'text', content: 'Booking it now.' },
        { part_kind: 'tool-call', tool_name: 'book_train', args: { train: '9:40' }, tool_call_id: 'call_7' },
      ],
    },
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'Did that work?' }] },
  ],
};
