import type { Proposal } from '../model/edit.ts';
import type { Message, Part, Role } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { converseExamples } from './examples/bedrock-converse.ts';
import { partOf, wireOf } from './remedies/place.ts';
import { CALL_TURN, RESPONSE_TURN, SYSTEM_ROLE } from './refusals/gemini-words.ts';

/** A provider refuses a part in a message of the other side. */
export const partInWrongRole: Rule = {
  id: 'part-in-wrong-role',
  title: 'a part stands in a message of the wrong role',
  layer: 'structure',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    gemini: ['ge-fc-after', 'ge-fr-after', 'ge-role'],
    'anthropic-messages': ['an-block-role'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-passthrough', 'br-server-tools'],
    'ai-sdk-model': ['ai-schema', 'ai-missing-results'],
  },
  trigger: 'part-in-wrong-role',
  summary:
    'Tools that show a call and its result as one entry often store them so: both in one assistant message. ' +
    'The message is divided, in the same order, so that calls and reasoning are the assistant’s and results ' +
    'the user’s.',
  explain: (found) => `a ${partOf(found).kind} part belongs in a message of the ${String(found.fact.detail)}`,
  providerError: {
    gemini: (found) => TURNS[partOf(found).kind] ?? SYSTEM_ROLE,
    'anthropic-messages': (found) => {
      const { message, detail } = found.fact;
      const type = String(wireOf(partOf(found))['type']);
      return `messages.${String(message)}: \`${type}\` blocks can only be in \`${String(detail)}\` messages`;
    },
  },
  repair,
  examples: () => [
    {
      name: 'calls by the assistant, results by the user',
      dialect: 'anthropic-messages',
      clean: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
      ],
    },
    {
      name: 'a call, its result and the answer stored as one message',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'list the files' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' },
            { type: 'text', text: 'One file.' },
          ],
        },
      ],
      after: [
        { role: 'user', content: 'list the files' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'One file.' }] },
      ],
    },
    {
      name: 'a search of the provider stored with the question',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: [{ type: 'text', text: 'search' }, ...searched()] },
        { role: 'assistant', content: 'Found it.' },
      ],
      after: [
        { role: 'user', content: [{ type: 'text', text: 'search' }] },
        { role: 'assistant', content: searched() },
        { role: 'assistant', content: 'Found it.' },
      ],
    },
    {
      name: 'an image in a system message',
      dialect: 'anthropic-messages',
      model: 'claude-opus-4-8',
      before: [
        { role: 'user', content: 'hi' },
        {
          role: 'system',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'text', text: 'This is how it looks.' },
          ],
        },
      ],
      after: [
        { role: 'user', content: 'hi' },
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
        },
        { role: 'system', content: [{ type: 'text', text: 'This is how it looks.' }] },
      ],
    },
    {
      name: 'a return stored in the response that made the call',
      dialect: 'pydantic-ai',
      before: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'list the files' }] },
        {
          kind: 'response',
          parts: [
            { part_kind: 'tool-call', tool_name: 'ls', args: '{}', tool_call_id: 'call_1' },
            { part_kind: 'tool-return', tool_name: 'ls', content: 'a.txt', tool_call_id: 'call_1' },
          ],
        },
      ],
      after: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'list the files' }] },
        {
          kind: 'response',
          parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: '{}', tool_call_id: 'call_1' }],
        },
        {
          kind: 'request',
          parts: [{ part_kind: 'tool-return', tool_name: 'ls', content: 'a.txt', tool_call_id: 'call_1' }],
        },
      ],
    },
    ...converseExamples('part-in-wrong-role'),
    {
      name: 'a result stored in the answer that made the call, and a remark among results',
      dialect: 'ai-sdk-model',
      before: [
        { role: 'user', content: 'read a' },
        { role: 'assistant', content: [sdkCall, sdkResult, { type: 'text', text: 'Done.' }] },
        { role: 'assistant', content: [sdkCall] },
        { role: 'tool', content: [{ type: 'text', text: 'slow today' }, sdkResult] },
      ],
      after: [
        { role: 'user', content: 'read a' },
        { role: 'assistant', content: [sdkCall] },
        { role: 'tool', content: [sdkResult] },
        { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
        { role: 'assistant', content: [sdkCall] },
        { role: 'tool', content: [sdkResult] },
        { role: 'user', content: [{ type: 'text', text: 'slow today' }] },
      ],
    },
    {
      name: 'a result stored in the message that made the call',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      before: [
        { role: 'user', parts: [{ text: 'list' }] },
        {
          role: 'model',
          parts: [
            { functionCall: { name: 'ls', args: {} } },
            { functionResponse: { name: 'ls', response: { result: 'a.txt' } } },
          ],
        },
      ],
      after: [
        { role: 'user', parts: [{ text: 'list' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      ],
    },
    {
      name: 'a call in the mouth of the user',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      before: [
        { role: 'user', parts: [{ text: 'list' }, { functionCall: { name: 'ls', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      ],
      after: [
        { role: 'user', parts: [{ text: 'list' }] },
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'a.txt' } } }] },
      ],
    },
    {
      name: 'a picture in a system message',
      dialect: 'gemini',
      before: [
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'system',
          parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }],
        },
      ],
      after: [
        { role: 'user', parts: [{ text: 'hi' }] },
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      ],
    },
  ],
};

const sdkCall = { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} };
const sdkResult = { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'A' } };

/** What the provider says of a call or a result in the mouth of the other side. */
const TURNS: Readonly<Partial<Record<Part['kind'], string>>> = { call: CALL_TURN, result: RESPONSE_TURN };

function searched(): unknown[] {
  return [
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
  ];
}

/** By message: what it is divided into. Every part in the wrong place asks for it, and there may be many. */
const divided = new WeakMap<Message, readonly Message[]>();

function repair(found: Case): Proposal {
  const { message } = found.fact;
  const source = found.message(message);
  const messages = divided.get(source) ?? divide(source, found.profile.carrier === 'tool' ? 'tool' : 'user');
  divided.set(source, messages);
  return {
    edits: [{ kind: 'message', message, messages }],
    action: 'relocate',
    loss: 'none',
    note: 'divided the message by who its parts belong to; their order is kept',
  };
}

/** Consecutive messages, one for each run of parts that belong to one role. */
function divide(source: Message, carrier: Role): Message[] {
  const messages: { role: Role; parts: Part[]; at: number; wire?: unknown }[] = [];
  let carried = false;
  for (const part of source.parts) {
    const role = roleFor(part, source.role, carrier);
    const last = messages.at(-1);
    if (last?.role === role) {
      last.parts.push(part);
      continue;
    }
    // Keys beside the parts belong to one message only, and to its own role.
    const owns: boolean = role === source.role && !carried;
    carried ||= owns;
    messages.push({ role, parts: [part], at: source.at, ...(owns ? { wire: source.wire } : {}) });
  }
  if (carried) return messages;
  // What is held beside parts that all go elsewhere may have to stay.
  const rest: Message = { role: source.role, parts: [], at: source.at, wire: source.wire };
  return source.role === 'assistant' ? [...messages, rest] : [rest, ...messages];
}

function roleFor(part: Part, own: Role, carrier: Role): Role {
  if (part.kind === 'call' || part.kind === 'reasoning') return 'assistant';
  if (part.kind === 'result') return part.server ? 'assistant' : carrier;
  if (own === 'tool') return part.kind === 'opaque' ? own : 'user';
  return part.kind === 'media' && own === 'system' ? 'user' : own;
}
