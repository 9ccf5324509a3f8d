/** Short ways to write messages and parts of one dialect, for tests that are about something else. */
export const user = (content: unknown): object => ({ role: 'user', content });
export const assistant = (content: unknown): object => ({ role: 'assistant', content });
export const text = (value: string): object => ({ type: 'text', text: value });
export const thought = (value: string): object => ({ type: 'thinking', thinking: value, signature: `sig ${value}` });
export const call = (id: string, name = 'ls'): object => ({ type: 'tool_use', id, name, input: {} });
export const result = (id: string, content = 'out'): object => ({ type: 'tool_result', tool_use_id: id, content });
