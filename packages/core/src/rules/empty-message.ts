import type { Proposal } from '../model/edit.ts';
import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { wireOf } from './remedies/place.ts';
import { TEXTS } from '../model/synthetic.ts';
import { prefillRefusal } from './remedies/prefill.ts';
import { NO_CONTENT } from './refusals/provider-words.ts';

/** A provider refuses a message that says nothing, except, in some dialects, the assistant's last. */
export const emptyMessage: Rule = {
  id: 'empty-message',
  title: 'a message has no content',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['oc-parts-min'],
    'openai-responses': ['or-part-type'],
    gemini: ['ge-parts'],
    'anthropic-messages': ['an-content-nonempty'],
    'openai-chat': ['oc-content-null', 'oc-parts-min', 'ms-empty', 'xa-content'],
    'bedrock-converse': ['br-content-empty'],
    'ai-sdk-model': ['ai-converters'],
    'mistral-chat': ['mi-assistant'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['an-content-nonempty'],
  },
  trigger: 'empty-message',
  summary:
    'A model ended its turn without a word, a stream was stopped before the first one, or everything in the ' +
    'message was removed earlier. The message goes; there is nothing in it to keep. Where a framework sends nothing ' +
    'of a message that holds parts of other kinds, it stays, with a text that says that there is no content.',
  detect: (found) => !mayBeEmpty(found),
  explain: (found) => `the ${roleOf(found)} message is empty`,
  providerError: {
    ...NO_CONTENT,
    'mistral-chat': (found) =>
      found.message(found.fact.message).role === 'assistant'
        ? 'Assistant message must have either content or tool_calls, but not both.'
        : undefined,
    gemini: ({ fact }) =>
      `* GenerateContentRequest.contents[${String(fact.message)}].parts: contents.parts must not be empty.`,
    'bedrock-converse': ({ fact }) =>
      `The content field in the Message object at messages.${String(fact.message)} is empty. Add a ContentBlock ` +
      'object to the content field and try again.',
    'anthropic-messages': ({ fact }) =>
      `messages.${String(fact.message)}: all messages must have non-empty content except for the optional final ` +
      `assistant message`,
    'openai-chat': (found) =>
      Array.isArray(contentOf(found))
        ? `Invalid 'messages[${String(found.fact.message)}].content': empty array. ` +
          'Expected an array with minimum length 1, but got an empty array instead.'
        : "Invalid value for 'content': expected a string, got null.",
  },
  repair: (found) => (found.fact.detail === 'kept' ? fill(found) : remove(found)),
};

function contentOf(found: Case): unknown {
  return wireOf(found.message(found.fact.message))['content'];
}

function roleOf(found: Case): string {
  return found.message(found.fact.message).role;
}

function remove(found: Case): Proposal {
  const { message } = found.fact;
  return {
    edits: [{ kind: 'message', message, messages: [] }],
    action: 'drop',
    // A message that was salvaged counts all that it came with, even where no text is left of it.
    loss: found.message(message).parts.some((part) => part.characters > 0) ? 'lossy' : 'none',
    note: 'removed an empty message',
  };
}

/** What the dialect carries and no model is shown stays, beside a text that is sent. */
function fill({ fact: { message } }: Case): Proposal {
  return {
    edits: [{ kind: 'append', message, parts: [textPart(TEXTS.separator, 0)] }],
    action: 'synthesize',
    loss: 'synthetic',
    note: `added ${TEXTS.separator} to a message of which nothing is sent; what it holds stays`,
  };
}

/** Only where results travel in user messages may the last answer be empty. */
function mayBeEmpty(found: Case): boolean {
  // A framework leaves such a message out by itself; it only matters where it would hide what the list ends with.
  if (roleOf(found) === 'tool') return saysMoreBehind(found);
  const last = found.isLast(found.fact.message) && roleOf(found) === 'assistant';
  if (!last || found.profile.carrier !== 'user' || found.profile.emptyEnd === 'refused') return false;
  if (contentOf(found) === undefined) return false;
  return found.purpose === 'history' || prefillRefusal(found) === undefined || isPaused(found);
}

function saysMoreBehind(found: Case): boolean {
  for (let i = found.fact.message + 1; i < found.count; i += 1) if (found.message(i).parts.length > 0) return true;
  return false;
}

/** A turn that the provider paused may end a request, also with an empty message behind it. */
function isPaused(found: Case): boolean {
  const index = found.fact.message - 1;
  if (index < 0 || found.message(index).role !== 'assistant') return false;
  const last = found.message(index).parts.at(-1);
  return (last?.kind === 'call' || last?.kind === 'result') && last.server;
}
