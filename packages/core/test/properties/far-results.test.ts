import { describe, expect, test } from 'vitest';
import { repair } from '../../src/index.ts';

type Item = Record<string, unknown>;

const user: Item = { role: 'user', content: 'go' };
const call = (id: string): Item => ({ type: 'function_call', call_id: id, name: 'ls', arguments: '{}' });
const output = (id: string, type = 'function_call_output'): Item => ({ type, call_id: id, output: 'a' });
const many = (count: number, make: (id: string) => Item, id = (i: number): string => `t${String(i)}`): Item[] =>
  Array.from({ length: count }, (_, i) => make(id(i)));
const same = (): string => 't';

/** Histories whose results stand far from their calls, by how many there are of each. */
const FAR: Readonly<Record<string, (count: number) => Item[]>> = {
  'results before their calls': (count) => [...many(count, output), ...many(count, call)],
  'results before the user speaks and calls': (count) => [...many(count, output), user, ...many(count, call)],
  'results before calls that share one id': (count) => [...many(count, output, same), ...many(count, call, same)],
  'results of another kind before calls that share one id': (count) => [
    ...many(count, (id) => output(id, 'custom_tool_call_output'), same),
    ...many(count, call, same),
  ],
};

describe.each(Object.entries(FAR))('%s', (_name, make) => {
  test('take time that grows with their number and not with its square', () => {
    const { report } = repair(make(20_000), 'openai-responses');
    expect(report.verdict).toBe('repaired');
  });
});
