import { expect, test } from 'vitest';
import { check, repair, type Dialect } from '../../src/index.ts';
import { anthropic, chat, pydantic, responses } from '../words.ts';

const MANY = 20_000;
const times = <T>(make: (n: number) => T): T[] => Array.from({ length: MANY }, (_, n) => make(n));
const { call: asked, customResult, result: answered } = responses;
const { call, result, say, user } = anthropic;
const go = user('go');
const id = (n: number): string => `t${String(n)}`;
const messageId = (n: number): string => `msg_${n.toString(16).padStart(48, '0')}`;
const returned = (content: string): object[] => times((n) => pydantic.user(pydantic.result(id(n), content)));

/** Histories with very many of one fault. If each were looked for in the whole list, a test would run out of time. */
const HISTORIES: readonly [name: string, dialect: Dialect, make: () => unknown[]][] = [
  [
    'pieces that the provider refuses',
    'openai-chat',
    () => [go, say(...times(() => ({ type: 'cache', id: 'x' }))), go],
  ],
  [
    'calls in the form of another provider',
    'openai-chat',
    () => [go, say(...times((n) => call(id(n)))), user(...times((n) => result(id(n), 'A')))],
  ],
  [
    'parts of a message whose author cannot write them',
    'anthropic-messages',
    () => [user(...times((n) => anthropic.search(`srvtoolu_${String(n)}`)))],
  ],
  [
    'calls under one id, and their results',
    'anthropic-messages',
    () => [go, say(...times(() => call('t'))), user(...times(() => result('t', 'A')))],
  ],
  ['results of one call', 'anthropic-messages', () => [go, say(call('t')), user(...times((n) => result('t', id(n))))]],
  [
    'two results for each call',
    'pydantic-ai',
    () => [
      pydantic.user('go'),
      pydantic.say(...times((n) => pydantic.call(id(n)))),
      ...returned('first'),
      ...returned('second'),
    ],
  ],
  [
    'results before their calls',
    'openai-responses',
    () => [...times((n) => answered(id(n), 'a')), ...times((n) => asked(id(n)))],
  ],
  [
    'results before the user speaks and calls',
    'openai-responses',
    () => [...times((n) => answered(id(n), 'a')), chat.user('go'), ...times((n) => asked(id(n)))],
  ],
  [
    'results before calls that share one id',
    'openai-responses',
    () => [...times(() => answered('t', 'a')), ...times(() => asked('t'))],
  ],
  [
    'results of another kind before calls that share one id',
    'openai-responses',
    () => [...times(() => customResult('t', 'a')), ...times(() => asked('t'))],
  ],
  [
    'one id that is used again in each step, and left open in the last',
    'openai-responses',
    () => [...times(() => [asked('t'), answered('t', 'a')]).flat(), asked('t')],
  ],
  [
    'ids of entries, one of which comes twice',
    'openai-responses',
    () => [...times((n) => responses.answered(messageId(n))), responses.answered(messageId(7))],
  ],
];

test.each(HISTORIES)('%s, very many of them, take a time that grows with their number alone', (_, dialect, make) => {
  const { output, report } = repair(make(), dialect);
  expect(report.verdict).toBe('repaired');
  expect(check(output, dialect).verdict).toBe('clean');
});
