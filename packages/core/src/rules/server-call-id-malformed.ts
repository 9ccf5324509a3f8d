import type { Rule } from '../model/rule.ts';
import { callOf, partOf, placeOf, wireOf } from './remedies/place.ts';
import { quoteServerPair } from './remedies/quote.ts';

/** A provider refuses a call that it did not run itself in the place of one that it did. */
export const serverCallIdMalformed: Rule = {
  id: 'server-call-id-malformed',
  title: 'a provider-run call has the id of another provider',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-server-id'] },
  trigger: 'server-call-id-malformed',
  summary:
    'A search that another provider ran was stored in the shape of this one. The provider knows its own ' +
    'ids, so the call and its result are kept as text.',
  explain: (found) => {
    const { callId, tool } = callOf(found, found.fact);
    if (callId === '') return `a call that the provider is to have run, to ${JSON.stringify(tool)}, has no id`;
    return `the provider did not run call ${JSON.stringify(callId)} to ${tool} itself`;
  },
  providerError: {
    'anthropic-messages': (found) => {
      const { message, part } = placeOf(found);
      const at = `messages.${String(message)}.content.${String(part)}`;
      if (wireOf(partOf(found))['type'] === 'mcp_tool_use') return `${at}.mcp_tool_use.id: Field required`;
      return `${at}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`;
    },
  },
  repair: (found) => ({
    edits: quoteServerPair(found),
    action: 'demote',
    loss: 'lossy',
    note: 'kept a call that another provider ran, and its result, as text',
  }),
};
