import type { AgentInputItem } from '@openai/agents';
import { cuts } from '@rethread/core';

/**
 * At most so many items, from the first cut among them: the SDK promises no more than it was asked for. Where they are
 * all of one turn there is no cut, and a repair has to mend what the limit tears apart.
 */
export function newestOf(
  items: readonly AgentInputItem[],
  limit: number = Number.POSITIVE_INFINITY,
): readonly AgentInputItem[] {
  const least = items.length - Math.max(limit, 0);
  if (least <= 0) return items;
  const cut = cuts(items, 'openai-agents').find((place) => place >= least && place < items.length);
  return items.slice(cut ?? least);
}
