import type { Proposal } from '../model/edit.ts';
import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { readableJson, withKeys } from '../model/value.ts';
import { wireOf } from './remedies/place.ts';

/** A provider refuses a list of calls that is empty, or is no list. */
export const callsEmpty: Rule = {
  id: 'calls-empty',
  title: 'a message has a list of calls without calls',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['oc-calls-nonempty', 'qw-answered'], 'mistral-chat': ['mi-count'] },
  trigger: 'calls-empty',
  summary:
    'A client wrote `tool_calls` on every answer, also on those without calls, or its calls were removed one by ' +
    'one. The key goes, ' +
    'because only a list with calls in it is accepted. What stood there instead of a list is quoted as text.',
  explain: (found) =>
    Array.isArray(callsOf(found)) ? 'the list of calls is empty' : 'the calls of this message are not a list',
  providerError: {
    dashscope: (found) => (Array.isArray(callsOf(found)) ? 'Empty tool_calls is not supported in message.' : undefined),
    'openai-chat': (found) => {
      const place = `messages[${String(found.fact.message)}].tool_calls`;
      return Array.isArray(callsOf(found))
        ? `Invalid '${place}': empty array. Expected an array with minimum length 1, but got an empty array instead.`
        : `Invalid type for '${place}': expected an array of objects.`;
    },
  },
  repair: (found) => (Array.isArray(callsOf(found)) ? dropKey(found) : quote(found)),
};

function callsOf(found: Case): unknown {
  return wireOf(found.message(found.fact.message))['tool_calls'];
}

function dropKey(found: Case): Proposal {
  const { message } = found.fact;
  return {
    edits: [{ kind: 'drop-keys', message, keys: ['tool_calls'] }],
    action: 'drop',
    loss: 'none',
    note: 'removed an empty list of calls',
  };
}

function quote(found: Case): Proposal {
  const { message } = found.fact;
  const { parts, wire, ...rest } = found.message(message);
  const text = textPart(`${TEXTS.unreadable} ${readableJson(callsOf(found))}`, 0);
  const bare = { ...rest, parts: [...parts, text], wire: withKeys(wire, { tool_calls: undefined }) };
  return {
    edits: [{ kind: 'message', message, messages: [bare] }],
    action: 'demote',
    loss: 'none',
    note: 'quoted as text what stood in the place of a list of calls',
  };
}
