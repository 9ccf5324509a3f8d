import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a response after each request',
    dialect: 'pydantic-ai',
    clean: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'one' }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'One.' }] },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'two' }] },
    ],
  },
  {
    name: 'discard: asked three times before the model answered',
    dialect: 'pydantic-ai',
    options: { policy: 'discard' },
    before: [
      {
        kind: 'request',
        parts: [
          { part_kind: 'system-prompt', content: 'Be brief.' },
          { part_kind: 'user-prompt', content: 'one' },
        ],
      },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'two' }] },
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'three' }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'Three.' }] },
    ],
    after: [
      {
        kind: 'request',
        parts: [
          { part_kind: 'system-prompt', content: 'Be brief.' },
          { part_kind: 'user-prompt', content: 'three' },
        ],
      },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'Three.' }] },
    ],
  },
];
