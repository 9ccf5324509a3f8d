export const question = { role: 'user', content: 'How many files are there?' };
export const call = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'I will count them.' },
    { type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls | wc -l' } },
  ],
};
export const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '42' }] };
export const reply = { role: 'assistant', content: 'There are 42.' };
export const more = { role: 'user', content: 'Thank you.' };

export const healthy: readonly object[] = [question, call, result, reply, more];

/** The call has no result. */
export const broken: readonly object[] = [question, call, more];

/** Messages that say what they are by something else than a role. */
export const roleless: readonly object[] = [
  { type: 'human', content: 'How many files are there?' },
  { type: 'ai', data: { content: 'There are 42.' } },
  { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', 'HumanMessage'], kwargs: { content: 'Thank you.' } },
  { type: 'function_call_output', call_id: 'c', output: '42' },
  { type: 'function_call_result', callId: 'c', output: '42' },
  { parts: [{ text: 'How many files are there?' }] },
];

export const lines = (messages: readonly unknown[], lineEnd = '\n'): string =>
  messages.map((message) => JSON.stringify(message) + lineEnd).join('');
