import { dropPart } from '../../model/edit.ts';
import type { Rule } from '../../model/rule.ts';
import { callOf, isRepeated, resultOf } from '../batch.ts';
import { sentId } from '../legal-call-id.ts';
import { otherOf, placeOf } from '../place.ts';
import { setAside } from '../set-aside.ts';

/** A provider refuses results under ids that no call has, even when there is exactly one for every open call. */
export const resultMisnamed: Rule = {
  id: 'result-misnamed',
  title: 'a result carries another id than its call',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-result-orphan'],
    'openai-chat': ['oc-tool-id'],
    'pydantic-ai': ['py-repair'],
  },
  trigger: 'result-misnamed',
  summary:
    'Ids were rewritten on one side, for example by a proxy or a change of provider. Right after a step ' +
    'there are as many strange results as open calls, so they are joined again by position.',
  explain: (found) => {
    const call = callOf(found, otherOf(found));
    return `result ${resultOf(found, found.fact).callId} stands where call ${call.callId} to ${call.tool} is answered`;
  },
  providerError: {
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}.content.${String(found.fact.part)}: unexpected \`tool_use_id\` ` +
      `found in \`tool_result\` blocks: ` +
      `${resultOf(found, found.fact).callId}. Each \`tool_result\` block must have a corresponding \`tool_use\` ` +
      `block in the previous message.`,
    'openai-chat': (found) =>
      `Invalid parameter: 'tool_call_id' of '${resultOf(found, found.fact).callId}' not found in 'tool_calls' ` +
      `of previous message.`,
  },
  repair: (found) => {
    const { anchor = 0, order = 0 } = found.fact;
    const result = resultOf(found, found.fact);
    const call = callOf(found, otherOf(found));
    const strange = result.tool !== undefined && result.tool !== '' && result.tool !== call.tool;
    if (strange || found.policy.orphanResult === 'remove') {
      return setAside(found, 'no call with that id comes before it');
    }
    // Calls that share an id are told apart first.
    if (isRepeated(found, otherOf(found).message, call)) return undefined;
    const callId = sentId(call, found.profile);
    const renamed = { ...result, callId, edited: true };
    return {
      edits: [dropPart(placeOf(found)), { kind: 'answer', message: anchor, order, result: renamed }],
      action: 'relink',
      loss: 'none',
      note: `gave result ${result.callId} the id of the open call ${callId} in its place`,
    };
  },
  examples: () => [
    {
      name: 'ids rewritten on one side',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'read a' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'A' }] },
      ],
      after: [
        { role: 'user', content: 'read a' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' }] },
      ],
    },
    {
      name: 'ids rewritten on one side',
      dialect: 'openai-chat',
      before: [
        { role: 'user', content: 'read a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'A' },
      ],
      after: [
        { role: 'user', content: 'read a' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'A' },
      ],
    },
    {
      name: 'ids rewritten on one side',
      dialect: 'pydantic-ai',
      before: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
        { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
        { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'x1' }] },
      ],
      after: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'read a' }] },
        { kind: 'response', parts: [{ part_kind: 'tool-call', tool_name: 'read', args: {}, tool_call_id: 'c1' }] },
        { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'read', content: 'A', tool_call_id: 'c1' }] },
      ],
    },
  ],
};
