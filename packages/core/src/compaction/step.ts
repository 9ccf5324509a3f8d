import type { Codec } from '../model/codec.ts';
import type { Message, ResultPart } from '../model/part.ts';
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

/** A message of a list with other words in some of its results: how many these are, and the tokens that it saves. */
export type Retold = { readonly wire: unknown; readonly results: number; readonly freedTokens: number };

/** Replaces the text of the results that `retell` gives another one for; undefined if that makes nothing shorter. */
export function retellResults(
  message: Message,
  retell: (result: ResultPart) => ResultPart | undefined,
  { list, context }: { readonly list: readonly unknown[]; readonly context: StepContext },
): Retold | undefined {
  let results = 0;
  const parts = message.parts.map((part) => {
    // What the provider made itself is its own to change.
    const told = part.kind === 'result' && !part.server ? retell(part) : undefined;
    if (told !== undefined) results += 1;
    return told ?? part;
  });
  if (results === 0) return undefined;
  const wire = context.codec.write({ ...message, parts }, list);
  const freedTokens = context.tokens.of(list[message.at]) - context.tokens.of(wire);
  return freedTokens > 0 ? { wire, results, freedTokens } : undefined;
}
