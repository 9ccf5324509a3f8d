import type { Proposal } from '../model/edit.ts';
import { textPart, type Message } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { holdsSummary } from '../model/summary-message.ts';
import { TEXTS } from '../model/synthetic.ts';
import { beginsTurn } from '../model/turn-start.ts';

/** A user message that was never answered stands before a new one. */
export const trailingRequest: Rule = {
  id: 'trailing-request',
  title: 'an unanswered user message stands before the next one',
  layer: 'sequence',
  severity: 'wasteful',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-adjacency'],
    'openai-responses': ['or-adjacency'],
    gemini: ['ge-merge'],
    'anthropic-messages': ['an-same-role'],
    'openai-chat': ['oc-order-free'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-alternate'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-transitions'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['lg-invalid'],
  },
  trigger: 'ends-with-user',
  summary:
    'The user stopped the run before the model answered and is about to write again (`next: "user"`). Both ' +
    'messages are kept unless ' +
    'the policy says to drop the unanswered one; one that carries results or holds a summary is never dropped. Where ' +
    'roles have to alternate, a short answer is put between them.',
  explain: () => 'the last message is from the user, and another will follow',
  repair: (found) => dropUnanswered(found) ?? (found.profile.alternation ? putBetween(found.fact.message) : undefined),
};

/** Leaves out the requests at the end, where the policy says so and they hold nothing but words. */
export function dropUnanswered(found: Case): Proposal | undefined {
  const { message: last } = found.fact;
  if (found.policy.trailingRequest !== 'drop') return undefined;
  let first = last + 1;
  while (first > 0 && isRequest(found.message(first - 1))) first -= 1;
  if (first > last) return undefined;
  const gone = Array.from({ length: last + 1 - first }, (_, i) => first + i);
  return {
    edits: gone.map((message) => ({ kind: 'message', message, messages: [] })),
    action: 'drop',
    loss: 'lossy',
    note:
      gone.length === 1
        ? 'removed the unanswered user message at the end, because another one follows'
        : `removed the ${String(gone.length)} unanswered user messages at the end, because another one follows`,
  };
}

function isRequest(message: Message): boolean {
  return beginsTurn(message) && !holdsSummary(message);
}

/** What will follow is not known yet, so it cannot be joined with what stands here. */
function putBetween(message: number): Proposal {
  const answer: Message = { role: 'assistant', parts: [textPart(TEXTS.separator, 0)], at: -1 };
  return {
    edits: [{ kind: 'insert', message: message + 1, messages: [answer] }],
    action: 'synthesize',
    loss: 'synthetic',
    note: `put an answer behind the unanswered user message, because roles have to alternate: ${TEXTS.separator}`,
  };
}
