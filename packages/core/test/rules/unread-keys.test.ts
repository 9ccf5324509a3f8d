import { expect, test } from 'vitest';
import { repair, type Dialect, type Repair } from '../../src/index.ts';

const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
const beside = { reasoning_content: 'SECRET', refusal: 'REF', foo: 'FOO', nothing: null };

function treated(entry: object, dialect: Dialect): { readonly said: string; readonly repairs: readonly Repair[] } {
  const history = [{ role: 'user', content: 'go' }, entry, { role: 'tool', tool_call_id: 'c1', content: 'A' }];
  const { output, report } = repair(history, dialect);
  return { said: JSON.stringify(output), repairs: report.repairs };
}

const DIALECTS = [
  'anthropic-messages',
  'bedrock-converse',
  'gemini',
  'pydantic-ai',
  'openai-responses',
  'openai-agents',
] as const;

const besideAnswers = DIALECTS.flatMap((dialect) => [
  [dialect, { role: 'assistant', content: 'ans', ...beside, tool_calls: [call] }] as const,
  [dialect, { role: 'assistant', content: null, ...beside, tool_calls: [call] }] as const,
  [dialect, { role: 'bot', content: 'ans', ...beside }] as const,
  [dialect, { role: 'bot', text: 'ans', ...beside }] as const,
  [dialect, { role: 'tool_result', tool_call_id: 'c1', content: 'A', ...beside }] as const,
  [dialect, { content: 'note', ...beside }] as const,
]);

test.each(besideAnswers)('%s: every key that goes when %j is read again is named in the report', (dialect, entry) => {
  const { said, repairs } = treated(entry, dialect);
  for (const [key, value] of Object.entries(beside)) {
    if (value === null || said.includes(value)) continue;
    const named = repairs.filter(({ note, loss }) => note.includes(key) && loss === 'lossy');
    expect([key, named.length]).toEqual([key, 1]);
  }
  expect(repairs.every(({ note }) => !note.includes('nothing'))).toBe(true);
});

test('an answer that is read again whole is told to have lost nothing', () => {
  const { repairs } = treated({ role: 'assistant', content: 'ans', tool_calls: [call] }, 'anthropic-messages');
  expect(repairs.map(({ rule, loss }) => [rule, loss])).toContainEqual(['content-unreadable', 'none']);
  expect(repairs.every(({ note }) => !note.includes('keys'))).toBe(true);
});

test('of very many keys the first are named and the others counted', () => {
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key${String(index)}`, index]));
  const { repairs } = treated({ role: 'bot', content: 'ans', ...many }, 'anthropic-messages');
  expect(repairs.map(({ note }) => note)).toContain(
    'read a message of the role bot in the terms of this dialect, without its keys key0, key1, key2, key3, key4, ' +
      'key5, key6, key7 and 32 more',
  );
});

test('the parts beside the content that was read are named, and so are calls that nobody can read', () => {
  const spoken = { role: 'bot', content: 'ans', parts: [{ text: 'more' }], tool_calls: 'read' };
  const { repairs } = treated(spoken, 'anthropic-messages');
  expect(repairs.map(({ note }) => note)).toContain(
    'read a message of the role bot in the terms of this dialect, without its keys parts, tool_calls',
  );
});
