import { repeatedId } from '../../model/call-id.ts';
import { replacePart, type Edit } from '../../model/edit.ts';
import type { Rule } from '../../model/rule.ts';
import { callOf, resultOf } from '../batch.ts';
import { resultPlaces } from '../place.ts';

/** A provider refuses two calls with one id in a step. Using an id again in a later step is legal. */
export const duplicateCallId: Rule = {
  id: 'duplicate-call-id',
  title: 'two calls of one step share an id',
  layer: 'pair',
  severity: 'rejected',
  loss: 'none',
  evidence: {
    'anthropic-messages': ['an-id-unique'],
    'openai-chat': ['oc-id-dup'],
    'pydantic-ai': ['py-repair'],
  },
  trigger: 'call-id-again',
  summary:
    'Some models number their calls and begin again at zero, or a stream was recorded twice. The second ' +
    'call gets a new id, and so does the second result: results belong to calls of the same id in order.',
  explain: (found) => `call id ${callOf(found, found.fact).callId} is used twice in one step`,
  providerError: {
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}.content.${String(found.fact.part)}: \`tool_use\` ids must be unique`,
    'openai-chat': (found) =>
      `Duplicate value for 'tool_call_id' of ${callOf(found, found.fact).callId} in ` +
      `message[${String(found.fact.message)}]`,
  },
  repair: (found) => {
    const { message, part = 0, order = 1 } = found.fact;
    const call = callOf(found, found.fact);
    const callId = repeatedId({ id: call.callId, copy: order + 1 }, found.profile.idMax, found.callsNear(message));
    const edits: Edit[] = [replacePart({ message, part }, { ...call, callId, edited: true })];
    const answer = resultPlaces(found, message, call.callId)[order];
    if (answer !== undefined) edits.push(replacePart(answer, { ...resultOf(found, answer), callId, edited: true }));
    return { edits, action: 'rewrite', loss: 'none', note: `renamed a repeated call ${call.callId} to ${callId}` };
  },
  examples: () => [
    {
      name: 'a model that counts its calls from zero',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'read a and b' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_0', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 'call_0', name: 'read', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_0', content: 'A' },
            { type: 'tool_result', tool_use_id: 'call_0', content: 'B' },
          ],
        },
      ],
      after: [
        { role: 'user', content: 'read a and b' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'call_0', name: 'read', input: { path: 'a' } },
            { type: 'tool_use', id: 'call_0_2', name: 'read', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_0', content: 'A' },
            { type: 'tool_result', tool_use_id: 'call_0_2', content: 'B' },
          ],
        },
      ],
    },
    {
      name: 'a model that counts its calls from zero',
      dialect: 'openai-chat',
      before: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_0', content: 'A' },
        { role: 'tool', tool_call_id: 'call_0', content: 'B' },
      ],
      after: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_0', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            { id: 'call_0_2', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_0', content: 'A' },
        { role: 'tool', tool_call_id: 'call_0_2', content: 'B' },
      ],
    },
    {
      name: 'a model that counts its calls from zero',
      dialect: 'pydantic-ai',
      before: [
        {
          kind: 'response',
          parts: [
            { part_kind: 'tool-call', tool_name: 'read', args: { path: 'a' }, tool_call_id: 'c0' },
            { part_kind: 'tool-call', tool_name: 'read', args: { path: 'b' }, tool_call_id: 'c0' },
          ],
        },
        {
          kind: 'request',
          parts: [
            { part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c0' },
            { part_kind: 'tool-return', tool_name: 'read', content: 'B', tool_call_id: 'c0' },
          ],
        },
      ],
      after: [
        {
          kind: 'response',
          parts: [
            { part_kind: 'tool-call', tool_name: 'read', args: { path: 'a' }, tool_call_id: 'c0' },
            { part_kind: 'tool-call', tool_name: 'read', args: { path: 'b' }, tool_call_id: 'c0_2' },
          ],
        },
        {
          kind: 'request',
          parts: [
            { part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c0' },
            { part_kind: 'tool-return', tool_name: 'read', content: 'B', tool_call_id: 'c0_2' },
          ],
        },
      ],
    },
  ],
};
