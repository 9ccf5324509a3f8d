import { dropPart } from '../../model/edit.ts';
import type { Case, Rule } from '../../model/rule.ts';
import { converseExamples } from '../examples/bedrock-converse.ts';
import { mistralExamples } from '../examples/mistral-chat.ts';
import { callOf, isRepeated, resultOf } from '../batch.ts';
import { isNameId } from '../../model/call-id.ts';
import { sentId } from '../legal-call-id.ts';
import { namesOtherTool } from '../other-tool.ts';
import { otherOf, placeOf, spokenOf, UNNAMED } from '../place.ts';
import { failedCallOf, restoreCall } from '../failed-call.ts';
import { setAside } from '../set-aside.ts';
import { inTongues } from '../tongues.ts';
import { chainExamples } from '../examples/langchain.ts';
import { itemExamples } from '../examples/openai-responses.ts';
import { agentExamples } from '../examples/openai-agents.ts';
import { missingCall, retyped } from '../response-items.ts';
import { LOST_RESULT } from '../host-words.ts';

/** A provider refuses results under ids that no call has, even when there is exactly one for every open call. */
export const resultMisnamed: Rule = {
  id: 'result-misnamed',
  title: 'a result carries another id than its call',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-output-orphan'],
    'openai-responses': ['or-output-orphan'],
    gemini: ['ge-fr-id'],
    'anthropic-messages': ['an-result-orphan'],
    'openai-chat': ['oc-tool-id', 'ms-toolid', 'gq-strict'],
    'pydantic-ai': ['py-repair'],
    'bedrock-converse': ['br-excess'],
    'ai-sdk-model': ['ai-missing-results', 'ai-converters'],
    'mistral-chat': ['mi-ids-v13'],
    langchain: ['lg-invalid'],
  },
  trigger: 'result-misnamed',
  summary:
    'Ids were rewritten on one side, for example by a proxy or a change of provider. Right after a step ' +
    'there are as many strange results as open calls, so they are joined again by position, and the report calls ' +
    'that synthetic. An id anywhere in the history that says otherwise prevents it: the result is then quoted.',
  detect: (found) => found.profile.resultIds === undefined || lacksId(found),
  explain: (found) => {
    const call = callOf(found, otherOf(found));
    const result = spokenOf('result', resultOf(found, found.fact).callId);
    return `${result} stands where ${spokenOf('call', call.callId)} to ${call.tool} is answered`;
  },
  providerError: {
    ...LOST_RESULT,
    'mistral-chat': (found) =>
      `Unexpected tool call id ${resultOf(found, found.fact).callId || 'None'} in tool results`,
    'openai-responses': missingCall,
    'openai-agents': missingCall,
    'bedrock-converse': ({ fact }) =>
      `The number of toolResult blocks at messages.${String(fact.message)}.content exceeds the number of toolUse ` +
      'blocks of previous turn.',
    'anthropic-messages': (found) =>
      `messages.${String(found.fact.message)}.content.${String(found.fact.part)}: unexpected \`tool_use_id\` ` +
      `found in \`tool_result\` blocks: ` +
      `${resultOf(found, found.fact).callId}. Each \`tool_result\` block must have a corresponding \`tool_use\` ` +
      `block in the previous message.`,
    'openai-chat': (found) =>
      `Invalid parameter: 'tool_call_id' of '${resultOf(found, found.fact).callId}' not found in 'tool_calls' ` +
      `of previous message.`,
    'ai-sdk-model': (found) => `Tool result is missing for tool call ${callOf(found, otherOf(found)).callId}.`,
    langchain: () => 'Found AIMessages with tool_calls that do not have a corresponding ToolMessage.',
  },
  repair: (found) => {
    const failed = failedCallOf(found);
    if (failed !== undefined) return restoreCall(found, failed);
    const { anchor = 0, order = 0 } = found.fact;
    const result = resultOf(found, found.fact);
    const call = callOf(found, otherOf(found));
    const taken = found.profile.sharedIds === true && found.callsNear(otherOf(found).message).has(result.callId);
    const exact = result.callId === call.callId;
    if (namesOtherTool(result, call) || taken || found.policy.orphanResult === 'remove') {
      return setAside(found, 'no call with that id comes before it');
    }
    if (!exact && !found.joinsByPosition(otherOf(found).message)) {
      return setAside(found, 'an id in the history shows that the order cannot be trusted');
    }
    // Calls that share an id are told apart first.
    if (isRepeated(found, otherOf(found).message, call)) return undefined;
    const callId = sentId(call, found.profile);
    const answer = retyped(result, call);
    if (answer === undefined) return setAside(found, 'the call of that id wants another kind of result');
    const named = result.tool === UNNAMED && call.tool !== '' ? { tool: call.tool } : {};
    const how = exact ? 'in its place' : 'by its position alone';
    const renamed = { ...answer, ...named, callId, edited: true };
    return {
      edits: [dropPart(placeOf(found)), { kind: 'answer', message: anchor, order, result: renamed }],
      action: 'relink',
      // The content is real, but only the order says whose result it is.
      loss: exact ? 'none' : 'synthetic',
      note: `gave ${spokenOf('result', result.callId)} the id of the open call ${callId} ${how}`,
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
    ...converseExamples('result-misnamed'),
    ...inTongues(({ say, result }) => ({
      name: 'ids rewritten on one side, in the messages of a framework',
      before: [...say('', 'c1'), ...result('x1', 'A')],
      after: [...say('', 'c1'), ...result('c1', 'A')],
    })),
    {
      name: 'an id rewritten on one side',
      dialect: 'gemini',
      before: contents(['a'], ['b']),
      after: contents(['a'], ['a']),
    },
    {
      name: 'an id that was lost',
      dialect: 'gemini',
      before: contents(['a'], [undefined]),
      after: contents(['a'], ['a']),
    },
    { name: 'a call without an id takes any result', dialect: 'gemini', clean: contents([undefined], ['b']) },
    {
      name: 'an older model counts results and looks at no id',
      dialect: 'gemini',
      model: 'gemini-2.5-flash',
      clean: contents(['a', 'b'], ['x', 'y']),
    },
    ...chainExamples('result-misnamed'),
    ...itemExamples('result-misnamed'),
    ...agentExamples('result-misnamed'),
    ...mistralExamples('result-misnamed'),
  ],
};

/** Where ids are optional, only a call that has one asks for it again; where they are ignored, none does. */
function lacksId(found: Case): boolean {
  const { message } = otherOf(found);
  const { callId } = callOf(found, otherOf(found));
  return found.profile.resultIds === true && !isNameId(callId) && !found.resultsAfter(message).has(callId);
}

function contents(calls: readonly (string | undefined)[], results: readonly (string | undefined)[]): unknown[] {
  const named = (id: string | undefined): object => (id === undefined ? { name: 'read' } : { id, name: 'read' });
  return [
    { role: 'user', parts: [{ text: 'read' }] },
    {
      role: 'model',
      parts: calls.map((id) => ({ functionCall: { ...named(id), args: {} }, thoughtSignature: 'c2ln' })),
    },
    { role: 'user', parts: results.map((id) => ({ functionResponse: { ...named(id), response: { result: 'A' } } })) },
  ];
}
