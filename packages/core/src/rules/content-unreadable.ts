import type { Case, Rule } from '../model/rule.ts';
import { foreignPart } from './refusals/provider-words.ts';
import { partOf, wireOf } from './remedies/place.ts';
import { quoteOrSkip, readAgain } from './remedies/unreadable.ts';

/** A provider refuses content that is neither text nor a list of parts. */
export const contentUnreadable: Rule = {
  id: 'content-unreadable',
  title: 'the content of a message is neither text nor a list of parts',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-part-type', 'or-reason-shape'],
    'openai-responses': ['or-part-type'],
    gemini: ['ge-parts'],
    'anthropic-messages': ['an-content-nonempty'],
    'openai-chat': ['oc-content-null', 'oc-parts-min'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-content-empty'],
    'ai-sdk-model': ['ai-schema'],
    'mistral-chat': ['mi-chunks'],
    'ai-sdk-ui': ['ai-schema'],
    langchain: ['oc-content-null'],
  },
  trigger: 'content-unreadable',
  summary:
    'A stored message lost its content, or holds it in a shape of its own: one part without a list around ' +
    'it, a number, an object, calls beside it in a list that only another format knows, or calls, results and ' +
    'reasoning among it in the form of another format. What can be read of it becomes text, parts, calls or results, ' +
    'also what stands under another key; a message that says nothing anywhere goes.',
  explain: (found) => {
    if (isElsewhere(found)) return 'what this message says stands under keys that this dialect does not read';
    return isBeside(found)
      ? 'parts of this message are in the form of another format or an earlier version'
      : 'the content of this message can be read neither as text nor as a list of parts';
  },
  providerError: {
    'openai-chat': pieceRefusal,
    gemini: (found) => (isBeside(found) ? foreignPart(found) : undefined),
  },
  repair: (found) => {
    if (isElsewhere(found))
      return readAgain(found, { action: 'restore', note: 'put what the message says into its content' });
    return isBeside(found)
      ? readAgain(found, { action: 'restore', note: 'put parts of the message into the form of this dialect' })
      : quoteOrSkip(found);
  },
};

/** What the provider says of a piece that only another API has, in a message of the user. */
function pieceRefusal(found: Case): string | undefined {
  const { message, part } = found.fact;
  if (!isBeside(found) || part === undefined || found.message(message).role !== 'user') return undefined;
  const { type } = wireOf(partOf(found));
  return `Invalid value: '${String(type)}'. Supported values are: 'text', 'image_url', 'input_audio' and 'file'.`;
}

/** Words under a key of another format, beside a content with nothing in it. */
function isElsewhere({ fact }: Case): boolean {
  return fact.detail === 'elsewhere';
}

/** True for an answer that is readable but for its calls, or for parts of another form. */
function isBeside({ fact }: Case): boolean {
  return fact.detail === 'tool_calls';
}
