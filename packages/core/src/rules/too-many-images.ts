import { replacePart } from '../model/edit.ts';
import { textPart, type Part } from '../model/part.ts';
import type { Case, Rule } from '../model/rule.ts';
import { charactersOf, withKeys } from '../model/value.ts';
import { partOf, placeOf, wireOf } from './remedies/place.ts';

/** A provider takes a number of images only, counted over the whole request. */
export const tooManyImages: Rule = {
  id: 'too-many-images',
  title: 'more images than the provider takes',
  layer: 'message',
  severity: 'rejected',
  loss: 'lossy',
  evidence: { 'anthropic-messages': ['an-images'] },
  trigger: 'image',
  summary:
    'A session that drives a screen takes a picture at every step. The oldest pictures are replaced by a ' +
    'line of text that says what was there; the newest stay.',
  explain: ({ fact, profile }) =>
    `${String(fact.count)} images where ${String(profile.maxImages)} are allowed; this is one of the oldest`,
  providerError: {
    'anthropic-messages': ({ fact, profile }) =>
      `many-image requests: ${String(fact.count)} images where at most ${String(profile.maxImages)} are allowed`,
  },
  repair: (found) => ({
    edits: [replacePart(placeOf(found), withTexts(found))],
    action: 'demote',
    loss: 'lossy',
    note: 'replaced an old image by a line of text that names it',
  }),
};

/** The part with text in the place of the images that the fact lists. */
function withTexts(found: Case): Part {
  const part = partOf(found);
  const wire = wireOf(part);
  const content = wire['content'];
  if (!Array.isArray(content)) return textPart(describe(part), 0, part.at);
  const gone = new Set([found.fact.detail].flat());
  let characters = part.characters;
  const pieces = content.map((piece: unknown, index) => {
    if (!gone.has(String(index))) return piece;
    characters -= charactersOf(piece);
    return { type: 'text', text: describe({ wire: piece }) };
  });
  return { ...part, wire: withKeys(wire, { content: pieces }), characters };
}

function describe(image: { readonly wire?: unknown }): string {
  const { media_type: type, data, url } = wireOf({ wire: wireOf(image)['source'] });
  if (typeof data === 'string') {
    const kind = typeof type === 'string' ? `${type} image` : 'image';
    return `[${kind} left out: ${String(data.length)} characters of base64]`.toWellFormed();
  }
  return typeof url === 'string' ? `[image left out: ${url}]`.toWellFormed() : '[image left out]';
}
