import { textPart, type Part, type TextPart } from '../../model/part.ts';
import { TEXTS } from '../../model/synthetic.ts';
import { isBlank, readableJson } from '../../model/value.ts';
import { wireOf } from './place.ts';

/** Reasoning as text under a mark that says what it is; undefined when there is nothing to read in it. */
export function reasoningAsText(part: Part, mark: string = TEXTS.reasoning): TextPart | undefined {
  const { thinking } = wireOf(part);
  const { text: own } = part as { readonly text?: string };
  const thought = Array.isArray(thinking) ? own : (thinking ?? own);
  const text = readableJson(thought);
  return isBlank(text) ? undefined : textPart(`${mark}\n${text}`, part.characters, part.at);
}
