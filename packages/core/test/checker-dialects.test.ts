import { expect, test } from 'vitest';
import { check, createChecker, detectDialect, repair } from '../src/index.ts';
import { anthropic, chat } from './words.ts';

const { call, result, say, system, user } = anthropic;

const question = user('read a');

test('a checker that is told no dialect takes that of the first message which shows one', () => {
  const checker = createChecker();
  expect(checker.push(question)).toEqual([]);
  checker.push(say(call('t1')));
  expect(checker.open()).toEqual(['t1']);
  expect(checker.settle()).toMatchObject([user({ type: 'tool_result', tool_use_id: 't1' })]);
  const later = [user('well?'), say('yes')];
  expect(later.flatMap((message) => [...checker.push(message)]).map(({ rule }) => rule)).toEqual([
    'call-without-result',
  ]);
});

test('what was told before the dialect was known is not told again', () => {
  const checker = createChecker();
  const empty = { role: 'assistant', content: [] };
  const before = [empty, question].flatMap((message) => [...checker.push(message)]);
  const after = checker.push(user(result('x', 'A')));
  const rules = [...before, ...after].map(({ rule, at }) => `${rule} ${at.pointer}`);
  expect(new Set(rules).size).toBe(rules.length);
  expect(rules).toContain('empty-message /0');
});

test('messages in no dialect at all are held back, and never make it throw', () => {
  const checker = createChecker();
  for (let i = 0; i < 205; i += 1) expect(checker.push(i)).toEqual([]);
  expect([checker.open(), checker.settle()]).toEqual([[], []]);
});

test('a model names the dialect of messages that show none', () => {
  const plain = [system('Be nice.'), question];
  expect(check(plain, { model: 'claude-sonnet-4-5' }).dialect).toBe('anthropic-messages');
  expect(check(plain, { model: 'gpt-4o' }).dialect).toBe('openai-chat');
  expect(check({ messages: plain }, { model: 'claude-sonnet-4-5' }).dialect).toBe('anthropic-messages');
  expect(detectDialect(question, 'claude-sonnet-4-5')).toBe('anthropic-messages');
  expect(repair(plain, { model: 'claude-sonnet-4-5' }).lifted).toEqual([plain[0]]);
  const checker = createChecker({ model: 'claude-sonnet-4-5' });
  expect(plain.flatMap((message) => [...checker.push(message)]).map(({ rule }) => rule)).toEqual(['system-first']);
});

test('what a message shows says more than the name of a model', () => {
  const shown = [question, { role: 'assistant', tool_calls: [] }];
  expect(check(shown, { model: 'claude-sonnet-4-5' }).dialect).toBe('openai-chat');
});

const open = [question, chat.say(chat.call('c1'))];

test.each([
  ['a policy with undefined in it', { policy: { openCall: undefined, partialBatch: undefined } }],
  ['a policy with a choice that does not exist', { policy: { openCall: 'explode' } }],
  ['a policy that is none', { policy: null }],
  ['a number of passes that is none', { maxPasses: Number.NaN }],
  ['fewer passes than none', { maxPasses: -1 }],
  ['no next message', { next: null }],
])('%s is as if it had not been given', (_name, options) => {
  const { report, ...repaired } = repair(open, 'openai-chat', options as object);
  const { report: usual, ...expected } = repair(open, 'openai-chat');
  const findings = report.findings.filter(({ rule }) => rule !== 'option-invalid');
  expect({ ...repaired, report: { ...report, findings } }).toEqual({ ...expected, report: usual });
});
