import type { Case, Rule } from '../model/rule.ts';
import { itemOf, setThoughtAside } from './remedies/response-items.ts';

/** A provider that keeps its reasoning wants it back only before what came of it. */
export const reasoningUnfollowed: Rule = {
  id: 'reasoning-unfollowed',
  title: 'reasoning stands without what came of it',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-reason-follow'], 'openai-agents': ['or-reason-follow'] },
  trigger: 'reasoning-unfollowed',
  summary:
    'The stream was stopped after the reasoning, the answer behind it was removed, or it was rewritten and lost ' +
    'its id. The reasoning is kept as text that says what it is; reasoning that nobody can read goes. Sealed ' +
    'reasoning of a request with `store: false` is whole by itself: what came of it then needs no id.',
  // Without an id the provider does not look for what came of it.
  detect: (found) => typeof itemOf(found)['id'] === 'string',
  explain: (found) => `nothing that the provider made follows the reasoning ${String(itemOf(found)['id'])}`,
  providerError: { 'openai-responses': refusal, 'openai-agents': refusal },
  repair: (found) => setThoughtAside(found, 'nothing that came of it follows'),
};

function refusal(found: Case): string {
  return `Item '${String(itemOf(found)['id'])}' of type 'reasoning' was provided without its required following item.`;
}
