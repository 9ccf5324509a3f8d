import { replacePart, type Proposal } from '../model/edit.ts';
import { textPart, type CallPart, type Message } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { callOf, resultOf, placeOf, spokenOf } from './remedies/place.ts';
import { quoteResult } from './remedies/quote.ts';
import { OUT_OF_TURN } from './refusals/provider-words.ts';

/** The templates of some local models have no place for calls and results. */
export const toolsUnsupported: Rule = {
  id: 'tools-unsupported',
  title: 'this model knows neither calls nor results',
  layer: 'message',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'openai-chat': ['tpl-alternate'] },
  trigger: 'tool-refused',
  summary:
    'A session that used tools goes on with a local model whose template knows the user and the assistant alone. ' +
    'What was called becomes text of the assistant, and what came back text of the user.',
  applies: (profile) => profile.toolRole === false,
  explain: () => 'the template of this model has no place for a call or a result',
  providerError: OUT_OF_TURN,
  repair: (found) => (found.part()?.kind === 'call' ? quoteCall(found) : quoteOutput(found)),
};

function quoteCall(found: Case): Proposal {
  const call = callOf(found, found.fact);
  return {
    edits: [replacePart(placeOf(found), textPart(textOf(call), call.characters, call.at))],
    action: 'demote',
    loss: 'none',
    note: `the call to ${call.tool} is now text of the assistant`,
  };
}

function textOf({ tool, input }: CallPart): string {
  const asked = typeof input === 'string' ? input : JSON.stringify(input ?? {});
  return `[${tool} ${asked}]`.toWellFormed();
}

function quoteOutput(found: Case): Proposal {
  const { message } = found.fact;
  const result = resultOf(found, found.fact);
  const told: Message = { role: 'user', parts: quoteResult(result), at: found.message(message).at };
  return {
    edits: [{ kind: 'message', message, messages: [told] }],
    action: 'demote',
    loss: 'none',
    note: `${spokenOf('result', result.callId)} is now text of the user, marked ${TEXTS.orphan}`,
  };
}
