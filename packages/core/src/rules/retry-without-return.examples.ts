import type { Example } from '../model/rule.ts';

export const examples: readonly Example[] = [
  {
    name: 'a call with its return',
    dialect: 'pydantic-ai',
    clean: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
      {
        kind: 'response',
        parts: [{ part_kind: 'tool-call', tool_name: 'read', args: { path: 'a' }, tool_call_id: 'c1' }],
      },
      {
        kind: 'request',
        parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' }],
      },
    ],
  },
  {
    name: 'discard: the call and its retry prompt go together',
    dialect: 'pydantic-ai',
    options: { policy: 'discard' },
    before: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
      {
        kind: 'response',
        parts: [
          { part_kind: 'text', content: 'Reading.' },
          { part_kind: 'tool-call', tool_name: 'read', args: '{"pth":"a"}', tool_call_id: 'c1' },
        ],
      },
      {
        kind: 'request',
        parts: [{ part_kind: 'retry-prompt', tool_name: 'read', content: 'path is missing', tool_call_id: 'c1' }],
      },
    ],
    after: [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
      { kind: 'response', parts: [{ part_kind: 'text', content: 'Reading.' }] },
    ],
  },
  {
    name: 'discard: a real return stands beside the retry prompt',
    dialect: 'pydantic-ai',
    options: { policy: 'discard' },
    before: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: '{}', tool_call_id: 'c1' }] },
      {
        kind: 'request',
        parts: [
          { part_kind: 'retry-prompt', tool_name: 'read', content: 'busy', tool_call_id: 'c1' },
          { part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' },
        ],
      },
    ],
    after: [
      { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: '{}', tool_call_id: 'c1' }] },
      { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' }] },
    ],
  },
];
