import { describe, expect, test } from 'vitest';
import { check, compact, estimateTokens, repair, type Finding } from '../../src/index.ts';
import { WRITERS } from '../conversation.ts';
import { chat } from '../words.ts';
import { runCleanupLoop } from '../../src/resume/index.ts';

const { call } = chat;

/** A sound turn, in a dialect whose results are parts and in one whose results are messages. */
const TURNS = (['anthropic-messages', 'openai-chat'] as const).map((dialect) => {
  const { user, say, calls, results } = WRITERS[dialect];
  const id = 'call_1';
  return [
    dialect,
    [user('list the files'), ...calls({ id }), ...results({ id, text: 'a.txt' }), say('one file')],
  ] as const;
});

const strange: readonly unknown[] = [
  null,
  'a text',
  { role: 'user' },
  { role: 'user', content: 7 },
  { role: 'user', content: [null, 'x', { type: 'text' }, { type: 'tool_result' }] },
  { role: 'assistant', content: [], tool_calls: [null, 'x', { id: 'c' }, { id: 'd', function: null }] },
  {
    role: 'assistant',
    content: [
      { type: 'tool_use', id: 'e', name: 'ls' },
      { type: 'text', text: '' },
    ],
  },
];

const brief = (findings: readonly Finding[], before: number): [string, number, string][] =>
  findings.map(({ rule, at, explain }) => [rule, at.message - before, explain]);

test.each(TURNS)('a long list is read like a short one, %s', (target, turn) => {
  const found = (times: number): [string, number, string][] => {
    const sound = Array.from({ length: times }, () => turn).flat();
    return brief(check([...sound, ...strange], target).findings, sound.length);
  };
  const short = found(2);
  expect(short.length).toBeGreaterThan(strange.length);
  expect(found(600)).toEqual(short);
});

test.each(TURNS)('a long list with a message that throws is repaired, %s', (target, turn) => {
  const throwing = {
    role: 'user',
    get content(): string {
      throw new Error('no');
    },
  };
  const long = Array.from({ length: 600 }, () => turn).flat();
  const { output, report } = repair([...long, throwing, ...long], target);
  expect(report.findings).toHaveLength(1);
  expect(report.findings[0]?.at.message).toBe(long.length);
  expect(check(output, target).verdict).toBe('clean');
});

describe('more of something than a call takes arguments', () => {
  const count = 125_000;
  const numbered = <T>(make: (n: number) => T[]): T[] => Array.from({ length: count }, (_, n) => make(n)).flat();

  test('calls without result are all removed', () => {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'I go.', tool_calls: numbered((n) => [call(`call_${n}`)]) },
    ];
    expect(runCleanupLoop(messages).messages).toEqual([messages[0], { role: 'assistant', content: 'I go.' }]);
  });

  test('results are all shortened', async () => {
    const messages = [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: numbered((n) => [call(`call_${n}`)]) },
      ...numbered((n) => [{ role: 'tool', tool_call_id: `call_${n}`, content: 'many words '.repeat(6) }]),
      { role: 'user', content: 'next' },
    ];
    const budgetTokens = Math.floor(estimateTokens(messages) * 0.9);
    const { report } = await compact(messages, { budgetTokens, clampTokens: 2 });
    expect(report).toMatchObject({ met: true, gone: { length: count } });
  });
});

// Were the calls gone over again for each of them, this would take longer than a test may.
describe('results that do not name their tool are named, however many there are', () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `t${i % 7}`);
  const asked = { role: 'user', parts: [{ text: 'go' }] };
  const given = { functionResponse: { response: { result: 'A' } } };
  const called = { role: 'model', parts: names.map((name) => ({ functionCall: { name, args: {} } })) };
  const told = (list: unknown): unknown[] =>
    (list as { parts: { functionResponse?: { name: unknown } }[] }[]).flatMap(({ parts }) =>
      parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse.name])),
    );

  test.each([
    ['in one message', [{ role: 'user', parts: names.map(() => given) }]],
    ['each in a message of its own', names.map(() => ({ role: 'user', parts: [given] }))],
  ])('%s', (_, results) => {
    expect(told(repair([asked, called, ...results], 'gemini').output)).toEqual(names);
  });
});
