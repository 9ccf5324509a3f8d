import { dropPart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord } from '../model/value.ts';
import { callOf } from './remedies/batch.ts';
import { isAskedAbout } from './remedies/approval.ts';
import { interfaceExamples } from './examples/ai-sdk-ui.ts';
import { spokenOf } from './remedies/place.ts';

/** A call that the provider runs itself may stay open only while nothing but results follows it. */
export const serverCallWithoutResult: Rule = {
  id: 'server-call-without-result',
  title: 'a call run by the provider has no result',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-server-pair', 'an-mixed-open'],
    'pydantic-ai': ['py-repair'],
    'ai-sdk-model': ['ai-converters'],
    'ai-sdk-ui': ['ai-converters'],
  },
  trigger: 'server-call-open',
  summary:
    'The stream was cut while the provider was searching or running code, or the user wrote while the turn ' +
    'was paused. The open call cannot be closed from outside, so it is dropped; the rest of its message ' +
    'stays.',
  // A person may still be asked whether the provider shall run it.
  detect: (found) => !isAskedAbout(found),
  explain: (found) => {
    const call = callOf(found, found.fact);
    const spoken = spokenOf('call', call.callId);
    return `${spoken} to ${call.tool}, which the provider runs itself, has no result in its turn`;
  },
  providerError: {
    'anthropic-messages': (found) => {
      const { tool, callId, wire } = callOf(found, found.fact);
      const name = isRecord(wire) && wire['type'] === 'mcp_tool_use' ? 'mcp' : tool;
      const family = name.startsWith('tool_search_tool') ? 'tool_search' : name;
      return (
        `\`${name}\` tool use with id \`${callId}\` was found without a corresponding ` +
        `\`${family}_tool_result\` block`
      );
    },
  },
  repair: (found) => {
    const { message, part = 0 } = found.fact;
    const { callId, tool } = callOf(found, found.fact);
    const note = `removed ${spokenOf('call', callId)} to ${tool}, which was not finished`;
    return { edits: [dropPart({ message, part })], action: 'drop', loss: 'lossy', note };
  },
  examples: () => [
    {
      name: 'a paused turn may be sent back as it is',
      dialect: 'anthropic-messages',
      clean: [
        { role: 'user', content: 'search' },
        {
          role: 'assistant',
          content: [{ type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }],
        },
      ],
    },
    {
      name: 'the user wrote while the turn was paused',
      dialect: 'anthropic-messages',
      before: [
        { role: 'user', content: 'search' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Searching.' },
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } },
          ],
        },
        { role: 'user', content: 'never mind' },
      ],
      after: [
        { role: 'user', content: 'search' },
        { role: 'assistant', content: [{ type: 'text', text: 'Searching.' }] },
        { role: 'user', content: 'never mind' },
      ],
    },
    {
      name: 'a built-in tool was cut off',
      dialect: 'pydantic-ai',
      before: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'search' }] },
        {
          kind: 'response',
          parts: [
            { part_kind: 'text', content: 'Searching.' },
            { part_kind: 'builtin-tool-call', tool_name: 'web_search', args: {}, tool_call_id: 'b1' },
          ],
        },
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'never mind' }] },
      ],
      after: [
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'search' }] },
        { kind: 'response', parts: [{ part_kind: 'text', content: 'Searching.' }] },
        { kind: 'request', parts: [{ part_kind: 'user-prompt', content: 'never mind' }] },
      ],
    },
    {
      name: 'the provider answered in a later message',
      dialect: 'ai-sdk-model',
      clean: [
        { role: 'assistant', content: [sdkSearch, { ...sdkSearch, toolCallId: 'c1', providerExecuted: false }] },
        { role: 'tool', content: [sdkFound('c1')] },
        { role: 'assistant', content: [sdkFound('s1')] },
        { role: 'user', content: 'thanks' },
      ],
    },
    {
      name: 'a call that a person was asked about',
      dialect: 'ai-sdk-model',
      clean: [
        {
          role: 'assistant',
          content: [sdkSearch, { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 's1' }],
        },
        { role: 'user', content: 'no' },
      ],
    },
    {
      name: 'the user wrote while the provider was searching',
      dialect: 'ai-sdk-model',
      before: [
        { role: 'assistant', content: [{ type: 'text', text: 'Searching.' }, sdkSearch] },
        { role: 'user', content: 'never mind' },
      ],
      after: [
        { role: 'assistant', content: [{ type: 'text', text: 'Searching.' }] },
        { role: 'user', content: 'never mind' },
      ],
    },
    ...interfaceExamples('server-call-without-result'),
  ],
};

const sdkSearch = { type: 'tool-call', toolCallId: 's1', toolName: 'search', input: {}, providerExecuted: true };

function sdkFound(toolCallId: string): object {
  return { type: 'tool-result', toolCallId, toolName: 'search', output: { type: 'json', value: [] } };
}
