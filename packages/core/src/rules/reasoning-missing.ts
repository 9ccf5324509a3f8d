import type { Case, Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';

/** With reasoning switched on by hand, the step being continued must open with reasoning. */
export const reasoningMissing: Rule = {
  id: 'reasoning-missing',
  title: 'reasoning is switched on and the step being continued has none',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-think-first'], 'bedrock-converse': ['br-passthrough'] },
  trigger: 'reasoning-missing',
  summary:
    'The reasoning of a step was stripped, or the step comes from another model. For this one request ' +
    'reasoning is switched off; switch it on again with the next user message.',
  applies: (profile) => profile.reasoningSigned !== false,
  explain: () => 'the last step calls tools and does not begin with reasoning, although reasoning is switched on',
  providerError: {
    'anthropic-messages': (found) => {
      let message = found.count - 1;
      while (message > 0 && found.message(message).role !== 'assistant') message -= 1;
      while (message > 0 && found.message(message - 1).role === 'assistant') message -= 1;
      const first = found.message(message).parts[0]?.kind === 'call' ? 'tool_use' : 'text';
      return (
        `messages.${String(message)}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found ` +
        `\`${first}\`. When \`thinking\` is enabled, ` +
        'a final `assistant` message must start with a thinking block (preceeding the lastmost set of ' +
        '`tool_use` and `tool_result` blocks). ' +
        'We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.'
      );
    },
  },
  repair: (found) => ({
    edits: [{ kind: 'body', fields: withoutThinking(found) }],
    action: 'rewrite',
    loss: 'none',
    note: 'switched reasoning off for this request',
  }),
};

/** One API has a field for it, another passes it on among the fields of the model. */
function withoutThinking(found: Case): Record<string, unknown> {
  // Only what a request says can have woken this rule.
  const body = found.body as Readonly<Record<string, unknown>>;
  const thinking = { type: 'disabled' };
  if (body['thinking'] !== undefined) return { thinking };
  return { additionalModelRequestFields: withKeys(body['additionalModelRequestFields'], { thinking }) };
}
