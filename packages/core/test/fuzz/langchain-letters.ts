import type { Letter } from './alphabets.ts';

const call = (id: string): object => ({ name: 'read', args: { path: 'a' }, id, type: 'tool_call' });
const result = (id: string, content = `output ${id}`): object => ({ type: 'tool', content, tool_call_id: id });
const thought = { type: 'thinking', thinking: 'why', signature: 'sig' };

/** Ten LangChain messages. */
export const chainLetters: readonly Letter[] = [
  { name: 'user text', message: { type: 'human', content: 'question' } },
  { name: 'assistant text', message: { type: 'ai', content: 'answer', tool_calls: [] } },
  { name: 'two-call batch', message: { type: 'ai', content: '', tool_calls: [call('A'), call('B')] } },
  { name: 'result of the first', message: result('A') },
  { name: 'result of the second', message: result('B') },
  { name: 'other result of the first', message: result('A', 'other output A') },
  {
    name: 'call in two places',
    message: {
      type: 'ai',
      content: [
        { type: 'text', text: 'again' },
        { type: 'tool_use', id: 'A', name: 'read', input: { path: 'a' } },
      ],
      tool_calls: [call('A')],
    },
  },
  { name: 'reasoning and a call', message: { type: 'ai', content: [thought], tool_calls: [call('B')] } },
  { name: 'reasoning alone', message: { type: 'ai', content: [thought], tool_calls: [] } },
  { name: 'empty assistant', message: { type: 'ai', content: '', tool_calls: [] } },
];
