import { expect, test } from 'vitest';
import { RESULT_TEXTS, repair } from '../../src/index.ts';

const call = { id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } };
const opening = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: null, tool_calls: [call] },
];
const result = (content: string): object => ({ role: 'tool', tool_call_id: 'call_1', content });

test.each(Object.entries(RESULT_TEXTS))('a late result takes the place of one that was invented: %s', (_, invented) => {
  const { output, report } = repair([...opening, result(invented), result('two files')], 'openai-chat');
  expect(output).toEqual([...opening, result('two files')]);
  expect(report.repairs.map(({ rule }) => rule)).toEqual(['late-result']);
});

test('a text that only looks like one is a result like any other', () => {
  const alike = `${RESULT_TEXTS.unknown} `;
  const { output } = repair([...opening, result(alike), result('two files')], 'openai-chat');
  expect(JSON.stringify(output)).toContain(alike);
});
