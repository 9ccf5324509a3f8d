import type { Part } from '../model/part.ts';
import type { Rule } from '../model/rule.ts';
import { isRecord } from '../model/value.ts';

/** Characters that are read as text: an image takes its room by its pixels, not by the letters of its data. */
function textCharacters(part: Part): number {
  if (part.kind === 'media') return 0;
  const content = isRecord(part.wire) ? part.wire['content'] : undefined;
  if (part.kind !== 'result' || !Array.isArray(content)) return part.characters;
  const texts = (content as unknown[]).filter(isRecord).map((piece) => piece['text']);
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

/** A request fits into the window of its model. */
export const promptTooLong: Rule = {
  id: 'prompt-too-long',
  title: 'the history does not fit into the window',
  layer: 'sequence',
  severity: 'rejected',
  loss: 'none',
  evidence: { 'anthropic-messages': ['an-context'] },
  trigger: 'prompt-too-long',
  summary:
    'The history is certainly longer than the window of the model, even at forty characters a token. Compact it.',
  detect: (found) => {
    let characters = 0;
    for (let i = 0; i < found.count; i += 1) {
      for (const part of found.message(i).parts) characters += textCharacters(part);
    }
    return characters / 40 > found.profile.windowTokens;
  },
  explain: () => 'the content cannot fit into the window of the model',
  providerError: { 'anthropic-messages': () => 'prompt is too long' },
};
