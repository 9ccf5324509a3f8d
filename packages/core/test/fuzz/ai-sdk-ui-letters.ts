import type { Letter } from './alphabets.ts';

const tool = (toolCallId: string, state: string, more: object = {}): object => ({
  type: 'tool-read',
  toolCallId,
  state,
  input: { path: 'a' },
  ...more,
});
const done = (id: string): object => tool(id, 'output-available', { output: `output ${id}` });
const said = (text: string): object => ({ type: 'text', text });
const step = { type: 'step-start' };
const sealed = { type: 'reasoning', text: 'why', providerMetadata: { anthropic: { signature: 'sig' } } };
const user = (...parts: object[]): object => ({ id: 'u', role: 'user', parts });
const answer = (...parts: object[]): object => ({ id: 'a', role: 'assistant', parts });

/** Ten messages of the AI SDK's user interface. */
export const interfaceLetters: readonly Letter[] = [
  { name: 'user text', message: user(said('question')) },
  { name: 'assistant text', message: answer(said('answer')) },
  { name: 'two closed calls', message: answer(done('A'), done('B')) },
  { name: 'a closed call and an answer', message: answer(done('A'), step, said('so')) },
  { name: 'open call', message: answer(said('again'), tool('A', 'input-available'), done('B')) },
  { name: 'asked about', message: answer(tool('A', 'approval-requested', { approval: { id: 'x' } })) },
  {
    name: 'approved',
    message: answer(sealed, tool('B', 'approval-responded', { approval: { id: 'y', approved: true } })),
  },
  { name: 'reasoning alone', message: answer(step, sealed) },
  { name: 'still streaming', message: answer(step, tool('A', 'input-streaming')) },
  { name: 'one id twice', message: answer(done('A'), done('A')) },
];
