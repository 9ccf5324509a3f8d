import type { Rule } from '../model/rule.ts';
import { isReference, itemOf, leaveOut, setThoughtAside, withoutIdsBehind } from './remedies/response-items.ts';

/** What a provider was told not to keep cannot be found there. */
export const itemLost: Rule = {
  id: 'item-lost',
  title: 'an entry points to something that the provider does not keep',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-item-lost'] },
  trigger: 'item-lost',
  summary:
    'The request says `store: false`, and the history holds a reference, or reasoning without its sealed ' +
    'content, from a time when things were kept. A reference goes; reasoning is kept as text, ' +
    'and what came of it is sent without its id. Ask for ' +
    '`reasoning.encrypted_content` to be able to send reasoning back.',
  explain: (found) => `the provider keeps nothing, so it cannot find ${String(itemOf(found)['id'])}`,
  providerError: {
    'openai-responses': (found) =>
      `Item with id '${String(itemOf(found)['id'])}' not found. Items are not persisted when \`store\` is set to ` +
      'false. Try again with `store` set to true, or remove this item from your input.',
  },
  repair: (found) => {
    if (!isReference(itemOf(found))) {
      return setThoughtAside(found, 'it has no sealed content, and the provider keeps nothing');
    }
    return withoutIdsBehind(found, leaveOut(found, 'removed a reference to something that is not kept'));
  },
};
