import type { Rule } from '../model/rule.ts';
import { isClientCall } from './remedies/batch.ts';

/** A provider refuses anything but calls behind a call in one assistant message. */
export const contentAfterCall: Rule = {
  id: 'content-after-call',
  title: 'something stands behind a call in its message',
  layer: 'pair',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-tooluse-suffix'], 'bedrock-converse': ['br-passthrough'] },
  trigger: 'content-after-call',
  summary:
    'Two assistant messages were merged, or a stream was stored in the order of arrival. Text behind a call ' +
    'separates the call from its result, which the provider reads as a call without result. The calls are ' +
    'moved to the end of the message.',
  explain: (found) => `part ${String(found.fact.part)} stands behind a call in the same message`,
  providerError: {
    'anthropic-messages': (found) => {
      const ids = found
        .message(found.fact.message)
        .parts.filter(isClientCall)
        .map((call) => call.callId);
      return (
        `messages.${String(found.fact.message)}: \`tool_use\` ids were found without \`tool_result\` blocks ` +
        `immediately after: ` +
        `${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next ` +
        `message.`
      );
    },
  },
  repair: (found) => {
    const message = found.message(found.fact.message);
    const parts = [...message.parts.filter((part) => !isClientCall(part)), ...message.parts.filter(isClientCall)];
    return {
      edits: [{ kind: 'message', message: found.fact.message, messages: [{ ...message, parts }] }],
      action: 'relocate',
      loss: 'none',
      note: 'moved the calls of this message behind its other parts',
    };
  },
};
