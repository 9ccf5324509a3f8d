import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a response with an empty text is one that says so',
    dialect: 'pydantic-ai',
    clean: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: '' }] },
    ],
  },
  {
    name: 'stopped before the first word',
    dialect: 'pydantic-ai',
    before: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
      { kind: 'response', parts: [] },
    ],
    after: [{ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] }],
  },
];
