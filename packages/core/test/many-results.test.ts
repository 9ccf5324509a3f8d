import { expect, test } from 'vitest';
import { repair } from '../src/index.ts';

const results = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    content: `answer ${String(i)}`,
  }));

test.each([2, 12, 300])(
  'of %i different results for one call the last answers it and the others are quoted',
  (count) => {
    const history = [
      { role: 'user', content: 'ping' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ping', input: {} }] },
      { role: 'user', content: results(count) },
    ];
    const { output, report } = repair(history, 'anthropic-messages');
    expect(report).toMatchObject({ verdict: 'repaired', preserved: { ratio: 1 } });
    const quoted = Array.from({ length: count - 1 }, (_, i) => `[tool output] answer ${String(i)}`);
    const [first, ...rest] = (output[2] as { content: { type: string; content?: string; text?: string }[] }).content;
    expect(first).toEqual({ type: 'tool_result', tool_use_id: 'toolu_1', content: `answer ${String(count - 1)}` });
    expect(new Set(rest.map((part) => part.text))).toEqual(new Set(quoted));
  },
);
