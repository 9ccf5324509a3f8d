import { replacePart, type Edit } from '../model/edit.ts';
import { textPart } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { withKeys } from '../model/value.ts';
import { placeOf, wireOf } from './remedies/place.ts';
import { NO_CONTENT } from './refusals/provider-words.ts';

/** A provider refuses a result or an answer without content, also where the message says something beside it. */
export const nullContent: Rule = {
  id: 'null-content',
  title: 'a message that must stay has no content',
  layer: 'message',
  severity: 'rejected',
  loss: 'synthetic',
  evidence: {
    'openai-chat': ['oc-content-null', 'oc-parts-min', 'xa-content', 'ms-empty'],
    'mistral-chat': ['mi-assistant'],
  },
  trigger: 'null-content',
  summary:
    'A tool returned nothing and its result was stored as null, without content or as an empty list; an ' +
    'answer that only calls tools was stored with an empty list; or a stream was stopped while the model ' +
    'was still reasoning. An empty text says the same and is accepted everywhere.',
  explain: (found) =>
    Array.isArray(contentOf(found)) ? 'the list of content is empty' : 'there is no content, not even an empty text',
  providerError: {
    ...NO_CONTENT,
    'openai-chat': (found) =>
      Array.isArray(contentOf(found))
        ? `Invalid 'messages[${String(found.fact.message)}].content': empty array. ` +
          'Expected an array with minimum length 1, but got an empty array instead.'
        : "Invalid value for 'content': expected a string, got null.",
  },
  repair: (found) => ({
    edits: [withEmptyText(found)],
    action: 'rewrite',
    loss: isRefusedEmpty(found) ? 'synthetic' : 'none',
    note: isRefusedEmpty(found)
      ? `wrote ${TEXTS.separator} in the place of an empty text`
      : 'wrote an empty text in the place of missing content',
  }),
};

function contentOf(found: Case): unknown {
  return wireOf(found.message(found.fact.message))['content'];
}

/** An empty text is refused too where that is what was found. */
function isRefusedEmpty(found: Case): boolean {
  return found.part() === undefined && found.fact.detail === 'empty';
}

function withEmptyText(found: Case): Edit {
  const { message } = found.fact;
  const part = found.part();
  if (part !== undefined) return replacePart(placeOf(found), { ...part, wire: withKeys(part.wire, { content: '' }) });
  const { parts, wire, ...rest } = found.message(message);
  const empty = isRefusedEmpty(found);
  const text = empty ? TEXTS.separator : '';
  const others = empty ? parts.slice(1) : parts;
  const filled = { ...rest, parts: [textPart(text, 0), ...others], wire: withKeys(wire, { content: text }) };
  return { kind: 'message', message, messages: [filled] };
}
