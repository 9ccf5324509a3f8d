import { expect, test } from 'vitest';
import { judge } from '../../simulator/src/judges/judge.ts';
import { check, repair, type Dialect, type RepairOptions } from '../src/index.ts';
import { withNext } from './fuzz/next-request.ts';

type Given = readonly [name: string, target: { dialect: Dialect; model?: string }, history: unknown[]];

const user = (content: unknown): object => ({ role: 'user', content });
const assistant = (content: unknown): object => ({ role: 'assistant', content });
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'a' } };
const use = { type: 'tool_use', id: 't1', name: 'read', input: {} };
const chatCall = { id: 'aB3dE6gH9', type: 'function', function: { name: 'read', arguments: '{}' } };
const sonnet = { dialect: 'anthropic-messages', model: 'claude-sonnet-4-5' } as const;
const opus = { dialect: 'anthropic-messages', model: 'claude-opus-5' } as const;
const converseCall = { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'read', input: {} } }] };

const HISTORIES: readonly Given[] = [
  ['an empty answer', sonnet, [user('a'), assistant([])]],
  ['an open call of the provider', opus, [user('a'), assistant([{ type: 'text', text: 'b' }, search])]],
  [
    'an open call of the provider beside a closed one of ours',
    opus,
    [user('a'), assistant([search, use]), user([{ type: 'tool_result', tool_use_id: 't1', content: 'A' }])],
  ],
  ['a system message', opus, [user('a'), assistant('b'), user('c'), { role: 'system', content: 'd' }]],
  ['the user, where roles alternate', { dialect: 'bedrock-converse' }, [{ role: 'user', content: [{ text: 'a' }] }]],
  [
    'an open call, where roles alternate',
    { dialect: 'bedrock-converse' },
    [{ role: 'user', content: [{ text: 'a' }] }, converseCall],
  ],
  ['the user, before a template', { dialect: 'openai-chat', model: 'google/gemma-2-9b-it' }, [user('a')]],
  [
    'a result, where an answer has to follow',
    { dialect: 'mistral-chat' },
    [
      user('a'),
      { role: 'assistant', content: '', tool_calls: [chatCall] },
      { role: 'tool', tool_call_id: 'aB3dE6gH9', content: 'A' },
    ],
  ],
  ['the start of an answer', { dialect: 'mistral-chat' }, [user('a'), { ...assistant('b'), prefix: true }]],
  ['a wish for compaction', { dialect: 'openai-responses' }, [user('a'), { type: 'compaction_trigger' }]],
  [
    'an open call of the provider',
    { dialect: 'pydantic-ai' },
    [
      { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'a' }] },
      {
        kind: 'response',
        parts: [
          { part_kind: 'text', content: 'b' },
          { part_kind: 'builtin-tool-call', tool_name: 'web', args: {}, tool_call_id: 'b1' },
        ],
      },
    ],
  ],
  [
    'a decision',
    { dialect: 'ai-sdk-model' },
    [
      user('a'),
      assistant([
        { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} },
        { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1' },
      ]),
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a1', approved: true }] },
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
