import { dropPart, replacePart, type Proposal } from '../model/edit.ts';
import { textPart, type Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isBlank, isRecord, readableJson, withKeys } from '../model/value.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';
import { saysNothing } from './remedies/gemini-parts.ts';
import { contentPath, foreignPart } from './refusals/provider-words.ts';

/** A provider refuses a part without a type, or a text part without text. */
export const partUnreadable: Rule = {
  id: 'part-unreadable',
  title: 'a part has no type or no text',
  layer: 'structure',
  severity: 'rejected',
  loss: 'lossy',
  evidence: {
    'openai-agents': ['or-part-type'],
    'openai-responses': ['or-part-type'],
    gemini: ['ge-part-data'],
    'anthropic-messages': ['an-text-nonempty', 'an-extra-keys'],
    'openai-chat': ['oc-parts-min'],
    'pydantic-ai': ['py-history'],
    'bedrock-converse': ['br-passthrough'],
    'ai-sdk-model': ['ai-schema'],
    'mistral-chat': ['mi-chunks'],
    'ai-sdk-ui': ['ai-schema'],
    langchain: ['oc-parts-min'],
  },
  trigger: 'part-unreadable',
  summary:
    'A stored message holds bare texts, or parts that lost their type. A text is kept as a text part; ' +
    'anything else is quoted as JSON, so that the model still sees what was there. An empty part goes.',
  explain: () => 'this part has no type, or is a text without text',
  providerError: {
    gemini: (found) =>
      saysNothing(partOf(found).wire)
        ? `${contentPath(found)}.data: required oneof field 'data' must have one initialized field`
        : foreignPart(found),
  },
  repair,
};

function repair(found: Case): Proposal {
  const at = placeOf(found);
  const part = partOf(found);
  if (isRecord(part.wire) && saysNothing(part.wire)) return restoreText(found, part);
  const said = plainText(part.wire);
  const text = said ?? quotedJson(part.wire);
  if (text === undefined || found.policy.unreadable === 'skip') {
    const note = 'left out a part that cannot be read';
    return { edits: [dropPart(at)], action: 'drop', loss: lossOf(part), note };
  }
  return {
    edits: [replacePart(at, textPart(text, part.characters, part.at))],
    action: said === undefined ? 'demote' : 'restore',
    loss: 'none',
    note: said === undefined ? 'quoted a part without a type as text' : 'kept the text of a part that lost its type',
  };
}

/** Writers leave out an empty text; the signature it carried is worth keeping, and nothing else is. */
function restoreText(found: Case, part: Part): Proposal {
  const at = placeOf(found);
  const { thoughtSignature, thought_signature: signature = thoughtSignature } = wireOf(part);
  if (typeof signature !== 'string' || signature === '') {
    return { edits: [dropPart(at)], action: 'drop', loss: lossOf(part), note: 'left out a part that says nothing' };
  }
  const note = 'put back the empty text that a signature belongs to';
  const whole = { ...part, wire: withKeys(part.wire, { text: '' }) };
  return { edits: [replacePart(at, whole)], action: 'restore', loss: 'none', note };
}

/** A part that says nothing may still stand for what could not be read beside it. */
function lossOf({ characters }: Part): 'none' | 'lossy' {
  return characters > 0 ? 'lossy' : 'none';
}

/** The text a part plainly holds. */
function plainText(wire: unknown): string | undefined {
  const text = isRecord(wire) ? (wire['text'] ?? wire['content']) : wire;
  return typeof text === 'string' && !isBlank(text) ? text.toWellFormed() : undefined;
}

function quotedJson(wire: unknown): string | undefined {
  const value = isRecord(wire) && String(wire['type']).endsWith('text') ? wire['text'] : wire;
  const json = value === undefined || value === null ? '' : readableJson(value);
  return isBlank(json) || json === '{}' || json === '[]' ? undefined : `${TEXTS.unreadable} ${json}`;
}
