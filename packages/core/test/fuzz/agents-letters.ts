import type { Letter } from './alphabets.ts';

const call = (callId: string, more: object = {}): object => ({
  type: 'function_call',
  callId,
  name: 'read',
  arguments: '{"path":"a"}',
  ...more,
});
const output = (callId: string, text = `output ${callId}`): object => ({
  type: 'function_call_result',
  name: 'read',
  callId,
  status: 'completed',
  output: { type: 'text', text },
});
const said = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});

/** Items of the OpenAI Agents SDK, one for each class. */
export const agentLetters: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', content: 'question' } },
  { name: 'assistant text', message: said('answer') },
  { name: 'call', message: call('A') },
  { name: 'call that the provider knows', message: call('B', { id: 'fc_b' }) },
  { name: 'shell under the first id', message: { type: 'shell_call', callId: 'A', action: { commands: ['ls'] } } },
  { name: 'result of the first', message: output('A') },
  { name: 'result of the second', message: output('B') },
  { name: 'other result of the first', message: output('A', 'other output A') },
  {
    name: 'shell output',
    message: {
      type: 'shell_call_output',
      callId: 'A',
      output: [{ stdout: 'listed', stderr: '', outcome: { type: 'timeout' } }],
    },
  },
  { name: 'reasoning', message: { type: 'reasoning', id: 'rs_1', content: [{ type: 'input_text', text: 'why' }] } },
];
