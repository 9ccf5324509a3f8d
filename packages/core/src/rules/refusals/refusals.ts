import type { RefusalText, Remedy } from './refusal.ts';
import { BLOCK_REFUSALS } from './refusals-of-blocks.ts';
import { ITEM_REFUSALS } from './refusals-of-items.ts';
import { LENGTH_REFUSALS, LIST_REFUSALS } from './refusals-of-lists.ts';

/** Every text by which a provider is on record to refuse a history; the first that fits counts. */
export const REFUSALS: readonly RefusalText[] = [
  ...BLOCK_REFUSALS,
  ...LENGTH_REFUSALS,
  ...LIST_REFUSALS,
  ...ITEM_REFUSALS,
];

/** A refusal that is on record. */
export type Recognised = Omit<RefusalText, 'text' | 'remedy'> & { readonly remedy: Remedy | undefined };

/** What a text of a provider means; undefined where nothing like it is on record. */
export function recognise(text: string): Recognised | undefined {
  for (const { text: pattern, remedy, ...known } of REFUSALS) {
    const found = pattern.exec(text);
    if (found !== null) return { ...known, remedy: typeof remedy === 'function' ? remedy(found) : remedy };
  }
  return undefined;
}
