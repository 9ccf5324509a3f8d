import type { Case, Rule } from '../model/rule.ts';
import { isReference, itemOf, leaveOut, setThoughtAside, withoutId } from './remedies/response-items.ts';

const MAXIMUM = 64;

/** A provider that keeps what it made knows its own ids by their form. */
export const itemIdMalformed: Rule = {
  id: 'item-id-malformed',
  title: 'an entry has an id that the provider did not give',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'openai-responses': ['or-id-prefix', 'or-id-len'], 'openai-agents': ['or-id-prefix', 'or-id-len'] },
  trigger: 'item-id-malformed',
  summary:
    'A store has put ids of its own, or the id of the call, where the provider expects the id that it gave. ' +
    'Without an id the entry is sent by value, which is always allowed. Reasoning under such an id was not ' +
    'made by this provider: it is kept as text, and what follows it goes without its id. A reference that leads ' +
    'nowhere goes.',
  explain: (found) => `the provider cannot have given the id ${JSON.stringify(itemOf(found)['id'])}`,
  providerError: { 'openai-responses': refusal, 'openai-agents': refusal },
  repair: (found) => {
    const item = itemOf(found);
    if (isReference(item)) return leaveOut(found, 'removed a reference that can lead nowhere');
    if (item['type'] === 'reasoning') return setThoughtAside(found, 'its id is not one of this provider');
    return withoutId(found, 'removed an id that the provider did not give');
  },
};

function refusal(found: Case): string | undefined {
  const { id } = itemOf(found);
  if (typeof id !== 'string' || id === '') return undefined;
  const at = `Invalid 'input[${String(found.fact.message)}].id': `;
  if (id.length > MAXIMUM) {
    return (
      `${at}string too long. Expected a string with maximum length ${String(MAXIMUM)}, ` +
      `but got a string with length ${String(id.length)} instead.`
    );
  }
  const { detail } = found.fact;
  if (detail !== undefined && !id.startsWith(String(detail))) {
    return `${at}'${id}'. Expected an ID that begins with '${String(detail)}'.`;
  }
  return (
    `${at}'${id}'. Expected an ID that contains letters, numbers, underscores, or dashes, ` +
    'but this value contained additional characters.'
  );
}
