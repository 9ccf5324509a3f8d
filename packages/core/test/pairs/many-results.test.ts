import { expect, test } from 'vitest';
import { repair } from '../../src/index.ts';
import { anthropic } from '../words.ts';

const { call, result, say, user } = anthropic;

const results = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => result('toolu_1', `answer ${String(i)}`));

test.each([2, 12, 300])(
  'of %i different results for one call the last answers it and the others are quoted',
  (count) => {
    const history = [user('ping'), say(call('toolu_1', 'ping')), { role: 'user', content: results(count) }];
    const { output, report } = repair(history, 'anthropic-messages');
    expect(report).toMatchObject({ verdict: 'repaired', preserved: { ratio: 1 } });
    const quoted = Array.from({ length: count - 1 }, (_, i) => `[tool output] answer ${String(i)}`);
    const [first, ...rest] = (output[2] as { content: { type: string; content?: string; text?: string }[] }).content;
    expect(first).toEqual(result('toolu_1', `answer ${String(count - 1)}`));
    expect(new Set(rest.map((part) => part.text))).toEqual(new Set(quoted));
  },
);
