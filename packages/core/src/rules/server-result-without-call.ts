import { dropPart } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { resultOf, wireOf, spokenOf } from './remedies/place.ts';

/** A result of a provider-run tool follows its call in the same assistant turn. */
export const serverResultWithoutCall: Rule = {
  id: 'server-result-without-call',
  title: 'a result of a provider-run tool has no call',
  layer: 'pair',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-server-orphan'],
    'pydantic-ai': ['py-repair'],
    'ai-sdk-model': ['ai-converters'],
  },
  trigger: 'server-result-unknown',
  summary:
    'A summary or a cut took the call and left the result. What the provider returned is mostly encrypted ' +
    'and of no use as text, so the result is dropped.',
  explain: (found) => `${spokenOf('result', resultOf(found, found.fact).callId)} has no call before it in its turn`,
  providerError: {
    'anthropic-messages': (found) => {
      const { message, part } = found.fact;
      const type = typeOf(found);
      return (
        `messages.${String(message)}.content.${String(part)}: unexpected \`tool_use_id\` found in \`${type}\` ` +
        `blocks: ` +
        `${resultOf(found, found.fact).callId}. Each \`${type}\` block must have a corresponding ` +
        `\`server_tool_use\` block before it.`
      );
    },
  },
  repair: (found) => {
    const { message, part = 0 } = found.fact;
    const result = spokenOf('result', resultOf(found, found.fact).callId);
    const note = `removed ${result} of a provider-run tool, whose call is gone`;
    return { edits: [dropPart({ message, part })], action: 'drop', loss: 'lossy', note };
  },
};

function typeOf(found: Case): string {
  return String(wireOf(resultOf(found, found.fact))['type']);
}
