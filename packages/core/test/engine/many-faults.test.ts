import { describe, expect, test } from 'vitest';
import { check, repair } from '../../src/index.ts';

const many = 20_000;
const times = <T>(make: (index: number) => T): T[] => Array.from({ length: many }, (_, index) => make(index));
const user = { role: 'user', content: 'go' };

// Were everything gone over again for each of them, each of these would take longer than a test may.
describe('many faults in one place take a time that grows with their number alone', () => {
  test('pieces that the provider refuses', () => {
    const parts = times(() => ({ type: 'cache', id: 'x' }));
    const { output, report } = repair([user, { role: 'assistant', content: parts }, user], 'openai-chat');
    expect(report.repairs.length).toBeGreaterThanOrEqual(many);
    expect(check(output, 'openai-chat').verdict).toBe('clean');
  });

  test('calls in the form of another provider', () => {
    const parts = times((i) => ({ type: 'tool_use', id: `toolu_${i}`, name: 'read', input: {} }));
    const results = times((i) => ({ type: 'tool_result', tool_use_id: `toolu_${i}`, content: 'A' }));
    const list = [user, { role: 'assistant', content: parts }, { role: 'user', content: results }];
    const { output } = repair(list, 'openai-chat');
    expect(output).toHaveLength(many + 2);
    expect(check(output, 'openai-chat').verdict).toBe('clean');
  });

  test('parts in the mouth of somebody else', () => {
    const parts = times((i) => ({ type: 'server_tool_use', id: `srvtoolu_${i}`, name: 'web_search', input: {} }));
    const { output, report } = repair([{ role: 'user', content: parts }], 'anthropic-messages');
    expect(report.findings.length).toBeGreaterThanOrEqual(many);
    expect(check(output, 'anthropic-messages').verdict).toBe('clean');
  });

  test('calls under one id, and their results', () => {
    const calls = times(() => ({ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }));
    const results = times(() => ({ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }));
    const list = [user, { role: 'assistant', content: calls }, { role: 'user', content: results }];
    const { output } = repair(list, 'anthropic-messages');
    expect(check(output, 'anthropic-messages').verdict).toBe('clean');
  });

  test('two results for each of many calls', () => {
    const part = (kind: string, i: number, rest: object): object => ({
      part_kind: kind,
      tool_name: 'read',
      tool_call_id: `c${i}`,
      ...rest,
    });
    const calls = { kind: 'response', parts: times((i) => part('tool-call', i, { args: {} })) };
    const told = (content: string): object[] =>
      times((i) => ({ kind: 'request', parts: [part('tool-return', i, { content })] }));
    const asked = { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'go' }] };
    const { output } = repair([asked, calls, ...told('first'), ...told('second')], 'pydantic-ai');
    expect(check(output, 'pydantic-ai').verdict).toBe('clean');
  });
});
