import type { Example } from '../model/rule.ts';

const done = { type: 'tool-result', toolCallId: 'c1', toolName: 'rm', output: { type: 'text', value: 'gone' } };

function call(toolCallId: string): object {
  return { type: 'tool-call', toolCallId, toolName: 'rm', input: { path: 'a' } };
}

function asked(id: string, toolCallId: string): object {
  return { type: 'tool-approval-request', approvalId: id, toolCallId };
}

function decided(id: string): object {
  return { type: 'tool-approval-response', approvalId: id, approved: true };
}

export const examples: readonly Example[] = [
  {
    name: 'an approved call, about to be run',
    dialect: 'ai-sdk-model',
    clean: [
      { role: 'user', content: 'delete a' },
      { role: 'assistant', content: [call('c1'), asked('a1', 'c1')] },
      { role: 'tool', content: [decided('a1')] },
    ],
  },
  {
    name: 'the question was cut away',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: 'delete a' },
      { role: 'tool', content: [decided('a1')] },
    ],
    after: [{ role: 'user', content: 'delete a' }],
  },
  {
    name: 'the call was cut away',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'user', content: 'delete a' },
      { role: 'assistant', content: [{ type: 'text', text: 'May I?' }, asked('a1', 'c1')] },
      { role: 'tool', content: [decided('a1')] },
    ],
    after: [
      { role: 'user', content: 'delete a' },
      { role: 'assistant', content: [{ type: 'text', text: 'May I?' }, asked('a1', 'c1')] },
    ],
  },
  {
    name: 'the call has its result already',
    dialect: 'ai-sdk-model',
    before: [
      { role: 'assistant', content: [call('c1'), asked('a1', 'c1')] },
      { role: 'tool', content: [done] },
      { role: 'tool', content: [decided('a1')] },
    ],
    after: [
      { role: 'assistant', content: [call('c1'), asked('a1', 'c1')] },
      { role: 'tool', content: [done] },
    ],
  },
];
