import { expect, test } from 'vitest';
import { check, detectDialect } from '../../src/index.ts';

const user = { role: 'user', content: 'go' };

test.each([
  { type: 'function_call_output', output: 'event' },
  { type: 'function_call', name: 'ls', arguments: '{}' },
  { type: 'tool_search_output', tools: [] },
])('an entry of a tool of one’s own is known by its type, also without its id: %j', (entry) => {
  expect(detectDialect([user, entry, user])).toBe('openai-responses');
  expect(check([user, entry, user]).findings.map(({ rule }) => rule)).not.toContain('message-unreadable');
});
