import type { Carried, CarriedText, Lose } from '../../model/crossing.ts';
import { shown } from './media.ts';

const ONLY_TEXT = 'the system says only texts there';

/** What a system message says, for targets in which it holds nothing but texts; whatever else was in it is told. */
export function systemTexts(parts: readonly Carried[], lose: Lose): readonly CarriedText[] {
  return parts.flatMap((part) => {
    if (part.kind === 'text') return [part];
    if (part.kind === 'media') shown(part, part.media, { wire: undefined, why: ONLY_TEXT, lose });
    else lose(part, { kind: 'part', what: `a part of kind ${part.kind}`, why: ONLY_TEXT });
    return [];
  });
}
