/** Weighs messages in tokens; the same message is weighed once. */
export type Scales = {
  readonly of: (message: unknown) => number;
  /** What messages weigh together; more than `most` is said as infinite, so that the rest need not be weighed. */
  readonly upTo: (messages: readonly unknown[], most: number) => number;
};

/** Scales that weigh from the end of a list, where what is kept stands. */
export function scales(weigh: (message: unknown) => number): Scales {
  const known = new Map<unknown, number>();
  const of = (message: unknown): number => {
    let tokens = known.get(message);
    if (tokens === undefined) known.set(message, (tokens = weigh(message)));
    return tokens;
  };
  const upTo = (messages: readonly unknown[], most: number): number => {
    let total = 0;
    for (let i = messages.length - 1; i >= 0; i -= 1) {
      total += of(messages[i]);
      if (total > most) return Number.POSITIVE_INFINITY;
    }
    return total;
  };
  return { of, upTo };
}
