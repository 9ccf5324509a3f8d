import type { Example } from '../model/rule.ts';
import { fingerprint } from '../model/call-id.ts';
import { RESULT_TEXTS } from '../model/synthetic.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { mistralExamples } from './examples/mistral-chat.ts';
import { inTongues } from './examples/tongues.ts';
import { itemExamples } from './examples/openai-responses.ts';
import { agentExamples } from './examples/openai-agents.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { chainExamples } from './examples/langchain.ts';

const FOREIGN = 'functions.read:0';

const LONG = 'call_0123456789012345678901234567890123456';

const RENAMED = `functions_read_0_${fingerprint(FOREIGN)}`;

const SHORT = `call_01234567890123456789_${fingerprint(LONG)}`;

const NAMELESS = `call_0_0_${fingerprint('call 0.0')}`;

const UNNAMED = `call_1_0_${fingerprint('call 1.0')}`;

function read(id: string): object {
  return { type: 'tool_use', id, name: 'read', input: {} };
}

function output(id: string, content: string): object {
  return { type: 'tool_result', tool_use_id: id, content };
}

function exchange(id: string): unknown[] {
  return batch([id]);
}

function batch(ids: readonly string[]): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    { role: 'assistant', content: ids.map(read) },
    { role: 'user', content: ids.map((id, index) => output(id, `output ${String(index)}`)) },
  ];
}

function chatExchange(...ids: readonly (string | number)[]): unknown[] {
  return [
    { role: 'user', content: 'read a' },
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
    },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'A' })),
  ];
}

function pydanticExchange(id: string): unknown[] {
  return [
    { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
    { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: '{}', tool_call_id: id }] },
    { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: id }] },
  ];
}

export const examples: readonly Example[] = [
  {
    name: 'ids of another provider in legal characters',
    dialect: 'anthropic-messages',
    clean: exchange('call_1'),
  },
  {
    name: 'an id in the style of another provider',
    dialect: 'anthropic-messages',
    before: exchange(FOREIGN),
    after: exchange(RENAMED),
  },
  {
    name: 'one id for two calls',
    dialect: 'anthropic-messages',
    before: batch([FOREIGN, FOREIGN]),
    after: batch([RENAMED, `${RENAMED}_2`]),
  },
  {
    name: 'one id in two messages of one turn, and a result too many',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read a and b' },
      { role: 'assistant', content: [read(FOREIGN)] },
      { role: 'assistant', content: [read(FOREIGN)] },
      { role: 'user', content: [output(FOREIGN, 'A'), output(FOREIGN, 'B'), output(FOREIGN, 'B')] },
    ],
    after: [
      { role: 'user', content: 'read a and b' },
      { role: 'assistant', content: [read(RENAMED)] },
      { role: 'assistant', content: [read(`${RENAMED}_2`)] },
      { role: 'user', content: [output(RENAMED, 'A'), output(`${RENAMED}_2`, 'B')] },
    ],
  },
  {
    name: 'a result that comes after the next answer',
    dialect: 'anthropic-messages',
    before: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [read(FOREIGN)] },
      { role: 'user', content: 'how long?' },
      { role: 'assistant', content: 'A moment.' },
      { role: 'user', content: [output(FOREIGN, 'A')] },
    ],
    after: [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: [read(RENAMED)] },
      { role: 'user', content: [output(RENAMED, 'A'), { type: 'text', text: 'how long?' }] },
      { role: 'assistant', content: 'A moment.' },
    ],
  },
  {
    name: 'a call that was never answered, and its id again later',
    dialect: 'anthropic-messages',
    before: [...exchange(FOREIGN).slice(0, 2), ...exchange(FOREIGN)],
    after: [
      ...exchange(RENAMED).slice(0, 2),
      {
        role: 'user',
        content: [
          { ...output(RENAMED, RESULT_TEXTS.unknown), is_error: true },
          { type: 'text', text: 'read a' },
        ],
      },
      ...exchange(RENAMED).slice(1),
    ],
  },
  {
    name: 'a call without an id that was never answered',
    dialect: 'anthropic-messages',
    before: exchange('').slice(0, 2),
    after: [
      ...exchange(UNNAMED).slice(0, 2),
      { role: 'user', content: [{ ...output(UNNAMED, RESULT_TEXTS.unknown), is_error: true }] },
    ],
  },
  {
    name: 'a call that another answer passed over',
    dialect: 'openai-chat',
    before: [
      ...chatExchange(LONG).slice(0, 2),
      { role: 'assistant', content: 'Done.' },
      ...chatExchange(LONG).slice(2),
    ],
    after: [...chatExchange(SHORT), { role: 'assistant', content: 'Done.' }],
  },
  {
    name: 'the second of two calls',
    dialect: 'openai-chat',
    before: chatExchange('call_1', LONG),
    after: chatExchange('call_1', SHORT),
  },
  {
    name: 'an id of 42 characters',
    dialect: 'openai-chat',
    before: chatExchange(LONG),
    after: chatExchange(SHORT),
  },
  {
    name: 'ids that a store kept as numbers, on one side and on both',
    dialect: 'openai-chat',
    before: [...chatExchange(7, 8), ...chatExchange('9').slice(0, 2), { role: 'tool', tool_call_id: 9, content: 'B' }],
    after: [
      ...chatExchange('7', '8'),
      ...chatExchange('9').slice(0, 2),
      { role: 'tool', tool_call_id: '9', content: 'B' },
    ],
  },
  {
    name: 'a call without an id',
    dialect: 'pydantic-ai',
    before: pydanticExchange(''),
    after: pydanticExchange(UNNAMED),
  },
  ...converseExamples('call-id-malformed'),
  ...inTongues(({ say, result }) => ({
    name: 'a call without an id, in the messages of a framework',
    before: [...say('', ''), ...result('', 'A')],
    after: [...say('', NAMELESS), ...result(NAMELESS, 'A')],
  })),
  ...itemExamples('call-id-malformed'),
  ...agentExamples('call-id-malformed'),
  ...mistralExamples('call-id-malformed'),
  ...interfaceExamples('call-id-malformed'),
  ...chainExamples('call-id-malformed'),
];
