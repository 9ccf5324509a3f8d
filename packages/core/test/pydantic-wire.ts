/** Short ways to write messages and parts of one dialect, for tests that are about something else. */
export const empty: object = { kind: 'response', parts: [] };
export const retry = (id: string, more: object = {}): object => ({
  part_kind: 'retry-prompt',
  tool_name: 'read',
  content: 'path is missing',
  tool_call_id: id,
  ...more,
});
export const request = (...parts: unknown[]): Record<string, unknown> => ({ kind: 'request', parts });
export const response = (...parts: unknown[]): Record<string, unknown> => ({ kind: 'response', parts });
export const prompt = (content: string): object => ({ part_kind: 'user-prompt', content });
export const text = (content: string): object => ({ part_kind: 'text', content });
