import type { Letter } from './alphabets.ts';

const call = (toolCallId: string): object => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input: { path: 'a' },
});
const result = (toolCallId: string, value = `output ${toolCallId}`): object => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'read',
  output: { type: 'text', value },
});
const said = (text: string): object => ({ type: 'text', text });
const sealed = { type: 'reasoning', text: 'why', providerOptions: { anthropic: { signature: 'sig' } } };

/** Ten model messages of the AI SDK. */
export const modelLetters: readonly Letter[] = [
  { name: 'user text', message: { role: 'user', content: 'question' } },
  { name: 'assistant text', message: { role: 'assistant', content: [said('answer')] } },
  { name: 'two-call batch', message: { role: 'assistant', content: [call('A'), call('B')] } },
  { name: 'result of the first', message: { role: 'tool', content: [result('A')] } },
  { name: 'both results', message: { role: 'tool', content: [result('B'), result('A')] } },
  { name: 'other result of the first', message: { role: 'tool', content: [result('A', 'other output A')] } },
  { name: 'call re-using the first id', message: { role: 'assistant', content: [said('again'), call('A')] } },
  { name: 'reasoning and a call', message: { role: 'assistant', content: [sealed, call('B')] } },
  { name: 'reasoning alone', message: { role: 'assistant', content: [sealed] } },
  { name: 'empty assistant', message: { role: 'assistant', content: [said('')] } },
];
