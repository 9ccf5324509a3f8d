import type { Bench } from './compaction/gone.ts';
import { messageTokens } from './compaction/message-tokens.ts';
import { scales } from './compaction/scales.ts';
import { countText, type TokenCounter } from './compaction/tokens.ts';
import type { Held } from './held.ts';

/** What every step of a compaction works with, for something that somebody holds. */
export function benchFor(held: Pick<Held<unknown>, 'codec' | 'profile'>, count: TokenCounter = countText): Bench {
  const { codec, profile } = held;
  return { codec, profile, count, scales: scales((wire) => messageTokens(wire, codec, count)) };
}
