import { dropPart } from '../model/edit.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord } from '../model/value.ts';
import { callOf, spokenOf } from './remedies/place.ts';
import { isAskedAbout } from './remedies/approval.ts';

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
};
