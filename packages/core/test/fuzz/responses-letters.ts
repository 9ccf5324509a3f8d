import type { Letter } from './alphabets.ts';

const call = (id: string, more: object = {}): object => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{"path":"a"}',
  ...more,
});
const output = (id: string, text = `output ${id}`): object => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
});

/** Entries of the Responses API, one for each class. */
export const responsesLetters: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', content: 'question' } },
  { name: 'assistant text', message: { role: 'assistant', content: 'answer' } },
  { name: 'call', message: call('A') },
  { name: 'call that the provider knows', message: call('B', { id: 'fc_b' }) },
  {
    name: 'custom call under the first id',
    message: { type: 'custom_tool_call', call_id: 'A', name: 'sh', input: 'ls' },
  },
  { name: 'output of the first', message: output('A') },
  { name: 'output of the second', message: output('B') },
  { name: 'other output of the first', message: output('A', 'other output A') },
  { name: 'custom output', message: { type: 'custom_tool_call_output', call_id: 'A', output: 'listed' } },
  {
    name: 'reasoning',
    message: {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'why' }],
      encrypted_content: 'g',
    },
  },
];
