import { expect, test } from 'vitest';
import { judge } from '../../../simulator/src/judges/judge.ts';
import { check, repair, type Dialect, type RepairOptions } from '../../src/index.ts';
import { withNext } from '../fuzz/next-request.ts';
import { aiSdkModel, anthropic, bedrock, chat, pydantic } from '../words.ts';

const { call, result, system, text } = anthropic;

type Given = readonly [name: string, target: { dialect: Dialect; model?: string }, history: unknown[]];

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } };
const use = call('t1');
const chatCall = chat.call('aB3dE6gH9');
const sonnet = { dialect: 'anthropic-messages', model: 'claude-sonnet-4-5' } as const;
const opus = { dialect: 'anthropic-messages', model: 'claude-opus-5' } as const;
const converseCall = bedrock.say(bedrock.call('c1'));

const HISTORIES: readonly Given[] = [
  ['an empty answer', sonnet, [user('a'), assistant([])]],
  ['an open call of the provider', opus, [user('a'), assistant([text('b'), search])]],
  [
    'an open call of the provider beside a closed one of ours',
    opus,
    [user('a'), assistant([search, use]), user([result('t1', 'A')])],
  ],
  ['a system message', opus, [user('a'), assistant('b'), user('c'), system('d')]],
  ['the user, where roles alternate', { dialect: 'bedrock-converse' }, [bedrock.user('a')]],
  ['an open call, where roles alternate', { dialect: 'bedrock-converse' }, [bedrock.user('a'), converseCall]],
  ['the user, before a template', { dialect: 'openai-chat', model: 'google/gemma-2-9b-it' }, [user('a')]],
  [
    'a result, where an answer has to follow',
    { dialect: 'mistral-chat' },
    [user('a'), { role: 'assistant', content: '', tool_calls: [chatCall] }, chat.result('aB3dE6gH9', 'A')],
  ],
  ['the start of an answer', { dialect: 'mistral-chat' }, [user('a'), { ...assistant('b'), prefix: true }]],
  ['a wish for compaction', { dialect: 'openai-responses' }, [user('a'), { type: 'compaction_trigger' }]],
  [
    'an open call of the provider',
    { dialect: 'pydantic-ai' },
    [
      pydantic.user('a'),
      pydantic.say('b', { part_kind: 'builtin-tool-call', tool_name: 'web', args: {}, tool_call_id: 'b1' }),
    ],
  ],
  [
    'a decision',
    { dialect: 'ai-sdk-model' },
    [
      user('a'),
      assistant([aiSdkModel.call('c1'), { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' }]),
      aiSdkModel.results({ type: 'tool-approval-response', approvalId: 'a1', approved: true }),
    ],
  ],
];

const CHOICES: readonly RepairOptions[] = [{}, { policy: 'discard' }, { open: 'leave' }];

test.each(HISTORIES)('%s in %o can stand before what the user says next', (_name, target, history) => {
  for (const choice of CHOICES) {
    const options = { ...choice, next: 'user' } as const;
    const { output, report } = repair(history, target, options);
    expect(report.verdict).toBe('repaired');
    const sent = withNext(output, target.dialect);
    expect(
      check(sent, { ...target, purpose: 'request' }).findings.filter(({ severity }) => severity === 'rejected'),
    ).toEqual([]);
    expect(judge(target.dialect, sent, { purpose: 'request', model: target.model })).toEqual([]);
    expect(repair(output, target, options).output).toBe(output);
  }
});

test('an empty history can be followed by anything', () => {
  expect(repair([], 'bedrock-converse', { next: 'user' })).toMatchObject({ changed: false, output: [] });
});

test('requests that nobody answered go in one pass, however many they are', () => {
  const asked = Array.from({ length: 40 }, (_, i) => user(`ask ${String(i)}`));
  const { output, report } = repair([user('a'), assistant('b'), ...asked], 'anthropic-messages', {
    policy: 'discard',
    next: 'user',
  });
  expect(output).toEqual([user('a'), assistant('b')]);
  expect(report.passes).toBeLessThanOrEqual(3);
});
