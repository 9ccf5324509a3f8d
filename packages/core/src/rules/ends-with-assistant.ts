import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { endOfList } from './remedies/last-step.ts';
import { prefillRefusal } from './remedies/prefill.ts';

/** A request that ends in the assistant's own words asks the model to continue them, which most models refuse. */
export const endsWithAssistant: Rule = {
  id: 'ends-with-assistant',
  title: 'the request ends with an assistant message',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    gemini: ['ge-last-user'],
    'anthropic-messages': ['an-prefill', 'an-prefill-tools', 'an-prefill-thinking'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-last'],
    'ai-sdk-model': ['an-prefill'],
    'mistral-chat': ['mi-last', 'mi-nonempty'],
    'ai-sdk-ui': ['an-prefill', 'ai-nonempty'],
    'openai-chat': ['lc-two-assistants', 'lc-prefill-think'],
    langchain: ['an-prefill'],
  },
  trigger: 'ends-with-assistant',
  summary:
    'A stream was stopped in the middle of an answer and the session was resumed without a new question. A ' +
    'short user message is added. A turn that the provider paused may be sent back as it is.',
  detect: (found) => {
    if (found.profile.carrier === 'call') return isSilent(found) || endsInWords(found);
    const { parts } = found.message(found.fact.message);
    // An open call will be answered behind this message, and an empty message goes; neither is the end then.
    if (parts.length === 0 || parts.some((part) => part.kind === 'call' && !part.server)) return false;
    return prefillRefusal(found) !== undefined;
  },
  explain: () => 'the last message is from the assistant',
  providerError: {
    'openai-chat': serverRefusal,
    template: serverRefusal,
    'mistral-chat': (found) => prefillRefusal(found),
    gemini: () => 'Please ensure that single turn requests end with a user role or the role field is empty.',
    'anthropic-messages': (found) => prefillRefusal(found),
    'bedrock-converse': (found) => prefillRefusal(found),
    'pydantic-ai': () => 'Processed history must end with a `ModelRequest`.',
    'ai-sdk-model': (found) => prefillRefusal(found),
    'ai-sdk-ui': (found) => (isSilent(found) ? 'messages must not be empty' : prefillRefusal(found)),
    langchain: (found) => prefillRefusal(found),
  },
  repair: (found) => ({
    edits: [
      {
        kind: 'insert',
        message: found.count,
        messages: [{ role: 'user', parts: [textPart(TEXTS.proceed, 0)], at: -1 }],
      },
    ],
    action: 'synthesize',
    loss: 'synthetic',
    note: `added a user message at the end: ${TEXTS.proceed}`,
  }),
};

/** A server that would continue the answer, if the template of the model let it. */
function serverRefusal(found: Case): string {
  return found.count > 1 && found.message(found.count - 2).role === 'assistant'
    ? 'Cannot have 2 or more assistant messages at the end of the list.'
    : 'Assistant response prefill is incompatible with enable_thinking.';
}

/** True when nothing in the list would be shown to a model. */
function isSilent(found: Case): boolean {
  return endOfList(found) === 'nothing';
}

function endsInWords(found: Case): boolean {
  return endOfList(found) === 'words' && prefillRefusal(found) !== undefined;
}
