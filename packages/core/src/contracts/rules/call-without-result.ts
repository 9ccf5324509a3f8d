import type { Proposal } from '../../model/edit.ts';
import { dropPart } from '../../model/edit.ts';
import type { CallPart, ResultPart } from '../../model/part.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { RESULT_TEXTS, resultText } from '../../model/synthetic.ts';
import { callOf, isRepeated, removeBatch } from '../batch.ts';
import { sentId } from '../legal-call-id.ts';
import { wireOf } from '../place.ts';

/** Findings of a batch longer than this do not repeat the whole batch. */
const LISTED = 64;

/** A provider refuses a history in which a call is never answered. */
export const callWithoutResult: Rule = {
  id: 'call-without-result',
  title: 'a call has no result',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-tooluse-answered'],
    'openai-chat': ['oc-answered'],
    'pydantic-ai': ['py-history'],
  },
  trigger: 'call-open',
  summary:
    'The process died, the user stopped it, or a tool timed out between a call and its result. Every ' +
    'provider refuses the next request. The call is closed with an error result that says what is known: ' +
    'nothing, unless the caller has evidence.',
  explain: (found) => {
    const call = callOf(found, found.fact);
    return `call ${call.callId} to ${call.tool} has no result`;
  },
  providerError: {
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}: \`tool_use\` ids were found without \`tool_result\` blocks ` +
      `immediately after: ` +
      `${openIds(found)}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    'openai-chat': (found) =>
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
      `The following tool_call_ids did not have response messages: ${openIds(found)}`,
    'pydantic-ai': () => 'Cannot provide a new user prompt when the message history contains unprocessed tool calls.',
  },
  repair: (found) => {
    const call = callOf(found, found.fact);
    const { openCall, partialBatch } = found.policy;
    const choice = found.fact.partial ? partialBatch : openCall;
    // A call that shares its id is renamed first, or its result would count as a second one of the other call.
    if (choice === 'close' && isRepeated(found, found.fact.message, call)) return undefined;
    if (choice === 'close') return close(found, call);
    return choice === 'remove-batch' ? removeBatch(found) : remove(found, call);
  },
  examples: () => [
    {
      name: 'every call answered',
      dialect: 'anthropic-messages',
      clean: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
      ],
    },
    {
      name: 'killed between call and result, then the user wrote again',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        { role: 'user', content: 'are you there?' },
      ],
      after: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: RESULT_TEXTS.unknown, is_error: true },
            { type: 'text', text: 'are you there?' },
          ],
        },
      ],
    },
    {
      name: 'two of three parallel calls answered',
      dialect: 'openai-chat',
      before: [
        { role: 'user', content: 'read a, b and c' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            { id: 'call_b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
            { id: 'call_c', type: 'function', function: { name: 'read', arguments: '{"path":"c"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_c', content: 'C' },
        { role: 'tool', tool_call_id: 'call_a', content: 'A' },
      ],
      after: [
        { role: 'user', content: 'read a, b and c' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
            { id: 'call_b', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
            { id: 'call_c', type: 'function', function: { name: 'read', arguments: '{"path":"c"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'call_c', content: 'C' },
        { role: 'tool', tool_call_id: 'call_a', content: 'A' },
        { role: 'tool', tool_call_id: 'call_b', content: RESULT_TEXTS.unknown },
      ],
    },
    {
      name: 'discard: the call goes, the text before it stays',
      dialect: 'anthropic-messages',
      options: { policy: 'discard' },
      before: [
        { role: 'user', content: 'list the files' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Looking.' },
            { type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} },
          ],
        },
      ],
      after: [
        { role: 'user', content: 'list the files' },
        { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }] },
      ],
    },
    {
      name: 'killed between call and return, then the user wrote again',
      dialect: 'pydantic-ai',
      before: [
        { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: {}, tool_call_id: 'c1' }] },
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'are you there?' }] },
      ],
      after: [
        { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'ls', args: {}, tool_call_id: 'c1' }] },
        {
          kind: 'request',
          parts: [
            { part_kind: 'tool-return', tool_name: 'ls', content: RESULT_TEXTS.unknown, tool_call_id: 'c1' },
            { part_kind: 'user-prompt', content: 'are you there?' },
          ],
        },
      ],
    },
  ],
};

/** Ids of the calls in this message that nothing answers, as a provider lists them; of a huge batch only this one. */
function openIds(found: Case): string {
  const { message } = found.fact;
  const { parts } = found.message(message);
  const own = callOf(found, found.fact).callId;
  if (parts.length > LISTED) return own;
  const answered = found.resultsAfter(message);
  const ids = parts.flatMap((part) => (part.kind === 'call' && !part.server ? [part.callId] : []));
  return [...new Set(ids.filter((id) => id === own || !answered.has(id)))].join(', ');
}

function close(found: Case, call: CallPart): Proposal {
  const text = resultText(call.callId, found.evidence);
  const callId = sentId(call, found.profile);
  const result: ResultPart = {
    kind: 'result',
    callId,
    tool: call.tool,
    outcome: 'interrupted',
    text,
    server: false,
    characters: 0,
    ...withToolset(call, callId, text),
  };
  const { anchor = found.fact.message, order = 0 } = found.fact;
  return {
    edits: [{ kind: 'answer', message: anchor, order, result }],
    action: 'synthesize',
    loss: 'synthetic',
    note: `inserted an error result for call ${call.callId}: ${text}`,
  };
}

/** A result of a toolset's tool repeats the name of the toolset. */
function withToolset(call: CallPart, callId: string, text: string): { wire?: unknown } {
  const toolset = wireOf(call)['toolset_name'];
  if (typeof toolset !== 'string') return {};
  return {
    wire: { type: 'tool_result', tool_use_id: callId, content: text, is_error: true, toolset_name: toolset },
  };
}

function remove(found: Case, call: CallPart): Proposal {
  const { message, part = 0 } = found.fact;
  return {
    edits: [dropPart({ message, part })],
    action: 'drop',
    loss: 'lossy',
    note: `removed call ${call.callId} to ${call.tool}, which has no result`,
  };
}
