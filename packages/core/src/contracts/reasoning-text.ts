import { textPart, type Part, type TextPart } from '../model/part.ts';
import { TEXTS } from '../model/synthetic.ts';
import { isBlank, readableJson } from '../model/value.ts';
import { wireOf } from './place.ts';

/** Reasoning as text that says what it is; undefined when there is nothing to read in it. */
export function reasoningAsText(part: Part): TextPart | undefined {
  const { thinking } = wireOf(part);
  const { text: own } = part as { readonly text?: string };
  const thought = Array.isArray(thinking) ? own : (thinking ?? own);
  const text = readableJson(thought);
  return isBlank(text) ? undefined : textPart(`${TEXTS.reasoning}\n${text}`, part.characters, part.at);
}
