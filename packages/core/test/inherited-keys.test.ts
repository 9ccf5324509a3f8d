import { describe, expect, test } from 'vitest';
import { check, repair } from '../src/index.ts';

const heir = (own: object): object => Object.assign(Object.create({ method: () => 1, extra: 2 }) as object, own);

const call = (input: unknown): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input }],
});
const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] };
const user = { role: 'user', content: 'hi' };

describe('keys that an object inherits are never sent, so they are never judged', () => {
  test.each([
    ['anthropic-messages', [heir(user)]],
    ['gemini', [heir({ role: 'user', parts: [heir({ text: 'hi' })] })]],
    ['openai-chat', [heir(user)]],
    ['pydantic-ai', [heir({ kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] })]],
    ['anthropic-messages', [user, call(heir({ path: '.' })), result]],
  ] as const)('%s', (dialect, history) => {
    expect(check(history, dialect)).toMatchObject({ verdict: 'clean', findings: [] });
    expect(repair(history, dialect).output).toBe(history);
  });
});
