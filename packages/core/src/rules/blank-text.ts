import { dropPart, replacePart, type Edit } from '../model/edit.ts';
import type { Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { withKeys } from '../model/value.ts';
import { markerGone, markerOf } from './remedies/quote.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';

const MARKABLE: ReadonlySet<unknown> = new Set(['text', 'tool_use', 'tool_result', 'image', 'document']);

/** A provider refuses a text of nothing but white space. */
export const blankText: Rule = {
  id: 'blank-text',
  title: 'a text part is empty or blank',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'anthropic-messages': ['an-text-nonempty', 'an-text-nonblank', 'an-cache-empty'],
    'bedrock-converse': ['br-text-blank'],
    'ai-sdk-model': ['ai-converters'],
    'ai-sdk-ui': ['ai-converters'],
    langchain: ['an-text-nonblank'],
  },
  trigger: 'blank-text',
  summary:
    'A stream was stopped before its first word, or a model put a line break between two calls. The part ' +
    'goes; if it carried a cache marker, the marker moves to the part before it.',
  explain: (found) => (isEmpty(found) ? 'a text part is empty' : 'a text part is nothing but white space'),
  providerError: {
    'bedrock-converse': (found) => {
      const { message, part } = placeOf(found);
      return (
        `The text field in the ContentBlock object at messages.${String(message)}.content.${String(part)} is blank. ` +
        'Add text to the text field, and try again.'
      );
    },
    'anthropic-messages': (found) => {
      const { message, part } = placeOf(found);
      if (!isEmpty(found)) return 'messages: text content blocks must contain non-whitespace text';
      return wireOf(partOf(found))['cache_control'] === undefined
        ? 'messages: text content blocks must be non-empty'
        : `messages.${String(message)}.content.${String(part)}.text: cache_control cannot be set for empty text blocks`;
    },
  },
  repair: (found) => {
    const moved = moveMarker(found);
    const told = moved.length > 0 ? '; its cache marker is on the part before it' : markerGone(partOf(found));
    return {
      edits: [dropPart(placeOf(found)), ...moved],
      action: 'drop',
      loss: 'lossy',
      note: `removed a text part without text${told}`,
    };
  },
};

function isEmpty(found: Case): boolean {
  return partOf(found).characters === 0;
}

/** The place the marker held is still worth caching: it moves to the part before, if that one can carry it. */
function moveMarker(found: Case): Edit[] {
  const { message, part } = placeOf(found);
  const marker = markerOf(partOf(found));
  const before: Part | undefined = found.message(message).parts[part - 1];
  if (marker === undefined || before === undefined) return [];
  const wire = wireOf(before);
  if (!MARKABLE.has(wire['type']) || markerOf(before) !== undefined || wire['text'] === '') return [];
  return [replacePart({ message, part: part - 1 }, { ...before, wire: withKeys(wire, { cache_control: marker }) })];
}
