import type { Lose } from '../../model/loss.ts';
import type { Part, TextPart } from '../../model/part.ts';
import { shown } from './media.ts';

const ONLY_TEXT = 'the system says only texts there';

/** What a system message says, for targets in which it holds nothing but texts; whatever else was in it is told. */
export function systemTexts(parts: readonly Part[], lose: Lose): readonly TextPart[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return [part];
    if (part.kind === 'media') shown(part, part.media, { wire: undefined, why: ONLY_TEXT, lose });
    else lose(part, { kind: 'part', what: `a part of kind ${part.kind}`, why: ONLY_TEXT });
    return [];
  });
}
