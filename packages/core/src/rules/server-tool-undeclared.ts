import type { Case, Rule } from '../model/rule.ts';
import { callOf, spokenOf } from './remedies/place.ts';
import { quoteServerPair } from './remedies/quote.ts';

/** A provider-run tool in the history must be declared in the request. */
export const serverToolUndeclared: Rule = {
  id: 'server-tool-undeclared',
  title: 'the history uses a provider-run tool that the request does not declare',
  layer: 'pair',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-server-declared', 'an-pause-resume'] },
  trigger: 'server-tool-undeclared',
  summary:
    'Search or code execution was switched off after it had been used. Which version to declare cannot be ' +
    'known from the history, so the call and its result are kept as text. Declare the tool again to keep ' +
    'them as they are.',
  explain: (found) => `${String(found.fact.detail)} was run by the provider, and the request does not declare it`,
  providerError: {
    'anthropic-messages': (found) => {
      const name = String(found.fact.detail);
      if (isPaused(found)) return `but no \`${name}\` tool was provided`;
      return `server_tool_use block references ${name}, but ${name} is not defined in tools as a server tool`;
    },
  },
  repair: (found) => ({
    edits: quoteServerPair(found),
    action: 'demote',
    loss: 'none',
    note:
      `turned ${spokenOf('call', callOf(found, found.fact).callId)} to ${String(found.fact.detail)} ` +
      'and its result into text',
  }),
};

/** The call is open and the request ends with its turn. */
function isPaused(found: Case): boolean {
  const { message } = found.fact;
  const { callId } = callOf(found, found.fact);
  for (let i = message; i < found.count; i += 1) {
    const { role, parts } = found.message(i);
    if (role !== 'assistant') return false;
    if (parts.some((part) => part.kind === 'result' && part.callId === callId)) return false;
  }
  return true;
}
