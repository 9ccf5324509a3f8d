import type { Codec } from '../model/codec.ts';
import type { Profile } from '../model/profile.ts';
import { messageTokens } from './message-tokens.ts';
import { countText, type TokenCounter } from './tokens.ts';

/** Something of the input that is not in the output as it was, with its place in the input. */
export type Gone = {
  readonly from: number;
  /** The first message that this is not about any more. */
  readonly to: number;
  readonly what: 'clamped' | 'repeated' | 'pruned' | 'summarised' | 'reasoning' | 'repaired';
  readonly note: string;
};

/** A list after a step: the same list where there was nothing to do. */
export type Shortened = { readonly list: readonly unknown[]; readonly gone: readonly Gone[] };

/** Counts the tokens of messages; the same message is counted once. */
export type MessageTokens = {
  readonly of: (message: unknown) => number;
  /** The tokens of all messages; infinite if they exceed `most`, so that the rest need not be counted. */
  readonly upTo: (messages: readonly unknown[], most: number) => number;
};

/** What every step of a compaction works with. */
export type StepContext = {
  readonly codec: Codec;
  readonly profile: Profile;
  readonly count: TokenCounter;
  readonly tokens: MessageTokens;
};

export function stepContext(
  { codec, profile }: Pick<StepContext, 'codec' | 'profile'>,
  count: TokenCounter = countText,
): StepContext {
  const known = new Map<unknown, number>();
  const of = (message: unknown): number => {
    let tokens = known.get(message);
    if (tokens === undefined) known.set(message, (tokens = messageTokens(message, codec, count)));
    return tokens;
  };
  const upTo = (messages: readonly unknown[], most: number): number => {
    let total = 0;
    // What is kept stands at the end, so those messages are counted anyway.
    for (let i = messages.length - 1; i >= 0; i -= 1) {
      total += of(messages[i]);
      if (total > most) return Number.POSITIVE_INFINITY;
    }
    return total;
  };
  return { codec, profile, count, tokens: { of, upTo } };
}
