import type { Proposal } from '../model/edit.ts';
import type { Case, Rule } from '../model/rule.ts';
import { isReference, itemOf, leaveOut, quoteItem } from './remedies/response-items.ts';

const MAXIMUM = 64;

/** What a provider made can only be given back whole. */
export const itemIncomplete: Rule = {
  id: 'item-incomplete',
  title: 'something that the provider made is not whole',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-responses': ['or-compaction', 'or-program', 'or-reference', 'or-callid'],
    'openai-agents': ['or-compaction', 'or-program', 'or-args'],
  },
  trigger: 'item-incomplete',
  summary:
    'A store kept only what can be read of a compaction, a program lost its fingerprint or the reasoning that ' +
    'led to it, a call lost what it asks for, or a reference names nothing. What can be read is kept as text of ' +
    'the assistant; the output of a program goes the way of the program.',
  explain: (found) => `this ${String(itemOf(found)['type'])} lacks what the provider needs to know it again`,
  providerError: { 'openai-responses': refusal },
  repair,
};

function refusal(found: Case): string | undefined {
  const { type, id, call_id: callId, fingerprint } = itemOf(found);
  if (typeof callId === 'string' && callId.length > MAXIMUM) {
    return (
      `Invalid 'input[${String(found.fact.message)}].call_id': string too long. Expected a string with maximum ` +
      `length ${String(MAXIMUM)}, but got a string with length ${String(callId.length)} instead.`
    );
  }
  if (type !== 'program' || typeof fingerprint !== 'string') return undefined;
  return `Item '${String(id ?? callId)}' of type 'program' was provided without its required 'reasoning' item.`;
}

function repair(found: Case): Proposal {
  const item = itemOf(found);
  if (isReference(item)) return leaveOut(found, 'removed a reference that names nothing');
  // The provider's own words are enough for it; a framework needs all of the fields.
  if (found.fact.detail === undefined && String(item['type']).startsWith('tool_search')) {
    const { message } = found.fact;
    const note = 'removed a call id from a search that the provider ran itself';
    return { edits: [{ kind: 'drop-keys', message, keys: ['call_id'] }], action: 'rewrite', loss: 'none', note };
  }
  return quoteItem(found, `quoted a ${String(item['type'])} that is not whole`);
}
