import type { Proposal } from '../model/edit.ts';
import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { CALL_TURN } from './refusals/provider-words.ts';

/** A call follows what the user said or the results of other calls; a provider refuses one that nothing precedes. */
export const callOutOfTurn: Rule = {
  id: 'call-out-of-turn',
  title: 'a call stands before anything that the user said',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: { gemini: ['ge-fc-after', 'ge-merge'] },
  trigger: 'call-out-of-turn',
  summary:
    'The front of the history was cut away, and it now opens with a call, or with what the model said before it ' +
    'called. A short user message is put in front of the call. What the model says and what it calls may be ' +
    'two messages once the user has spoken: messages of one role are read as one.',
  explain: () => 'nothing that the user said stands before this call',
  providerError: { gemini: () => CALL_TURN },
  repair,
};

function repair(found: Case): Proposal {
  const { message } = found.fact;
  const text = message === 0 ? TEXTS.resumed : TEXTS.proceed;
  const messages = [{ role: 'user' as const, parts: [textPart(text, 0)], at: -1 }];
  const note = `put a user message in front of the call: ${text}`;
  return { edits: [{ kind: 'insert', message, messages }], action: 'synthesize', loss: 'synthetic', note };
}
