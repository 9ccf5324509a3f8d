import { expect, test } from 'vitest';
import { repair, type Dialect } from '../../src/index.ts';
import { findSlips, type Growth } from '../fuzz/growth.ts';
import { aimOf, dialects, healthy, plant } from '../fuzz/histories.ts';
import { seedAt, startRandom } from '../fuzz/random.ts';
import { deepFreeze, listKeyOf } from '../fuzz/reading.ts';
import { shrink } from '../fuzz/shrink.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261115);
const histories = 800;

function growthAt(dialect: Dialect, index: number): Growth {
  const random = startRandom(seedAt(seed, index));
  const draft = healthy(dialect, random);
  plant(draft, random, 3);
  const { body, messages } = draft;
  return {
    messages: deepFreeze(messages),
    target: aimOf(draft),
    wrap: (list) => (body ? { ...body, [listKeyOf(dialect)]: list } : list),
  };
}

/** Names a slip by the last change of the report that made it. */
const causeOf = (growth: Growth): string | undefined => {
  const slip = findSlips(growth)[0];
  return slip && (slip.rules.at(-1)?.replace(/ \/.*/, '') ?? 'no change at all');
};

test.each(dialects)(`%s: a growing history keeps the bytes it was sent with (seed ${seed})`, (dialect) => {
  const failures = new Map<string, unknown>();
  for (let index = 0; index < histories; index += 1) {
    const growth = growthAt(dialect, index);
    const cause = causeOf(growth);
    if (cause === undefined || failures.has(cause)) continue;
    const slips = (messages: unknown): boolean => Array.isArray(messages) && causeOf({ ...growth, messages }) === cause;
    const smallest = JSON.stringify(shrink(growth.messages, slips, 500));
    failures.set(cause, { index, target: growth.target, body: growth.wrap([]), smallest });
  }
  expect([...failures]).toEqual([]);
});

/** A call, a user message that came before its result, and then the result. */
const late: Readonly<Record<string, readonly unknown[]>> = {
  'openai-agents': [
    { role: 'user', content: 'hi' },
    { type: 'function_call', callId: 'c1', name: 'read', arguments: '{}' },
    { role: 'user', content: 'stop' },
    { type: 'function_call_result', name: 'read', callId: 'c1', status: 'completed', output: 'real output' },
  ],
  langchain: [
    { type: 'human', content: 'hi' },
    { type: 'ai', content: '', tool_calls: [{ name: 'read', args: {}, id: 'c1', type: 'tool_call' }] },
    { type: 'human', content: 'stop' },
    { type: 'tool', content: 'real output', tool_call_id: 'c1' },
  ],
  'ai-sdk-model': [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} }] },
    { role: 'user', content: 'stop' },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'real output' } },
      ],
    },
  ],
  'anthropic-messages': [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] },
    { role: 'user', content: 'stop' },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'real output' }] },
  ],
  gemini: [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [{ functionCall: { name: 'read', args: {} }, thoughtSignature: 'c2ln' }] },
    { role: 'user', parts: [{ text: 'stop' }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { result: 'real output' } } }] },
  ],
  'bedrock-converse': [
    { role: 'user', content: [{ text: 'hi' }] },
    { role: 'assistant', content: [{ toolUse: { toolUseId: 'c1', name: 'read', input: {} } }] },
    { role: 'user', content: [{ text: 'stop' }] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'c1', content: [{ text: 'real output' }] } }] },
  ],
  'mistral-chat': [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c00000001', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'user', content: 'stop' },
    { role: 'tool', tool_call_id: 'c00000001', content: 'real output' },
  ],
  'openai-responses': [
    { role: 'user', content: 'hi' },
    { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
    { role: 'user', content: 'stop' },
    { type: 'function_call_output', call_id: 'c1', output: 'real output' },
  ],
  'openai-chat': [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'user', content: 'stop' },
    { role: 'tool', tool_call_id: 'c1', content: 'real output' },
  ],
  'pydantic-ai': [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'hi' }] },
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'stop' }] },
    {
      kind: 'request',
      parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'real output', tool_call_id: 'c1' }],
    },
  ],
};

/** Where a call and its result are one part, a result takes its place by itself. */
const apart = dialects.filter((dialect) => dialect !== 'ai-sdk-ui');

test.each(apart)('%s: a late real result takes the place of its placeholder, and the report says so', (dialect) => {
  const messages = late[dialect] ?? [];
  const closed = repair(messages.slice(0, 3), dialect);
  expect(JSON.stringify(closed.output)).toContain('may have run');
  const grown = repair([...closed.output, messages[3]], dialect);
  expect(JSON.stringify(grown.output)).toContain('real output');
  expect(JSON.stringify(grown.output)).not.toContain('may have run');
  expect(grown.report.repairs.length).toBeGreaterThan(0);
  expect(grown.report.preserved.ratio).toBe(1);
});
