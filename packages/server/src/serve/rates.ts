type Bucket = { left: number; at: number };

/** Lets each token do so many requests a second, and twice as many at once after a pause. */
export class Rates {
  readonly #perSecond: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Whether the token may do one more request now. */
  take(token: string): boolean {
    const now = performance.now();
    const most = this.#perSecond * 2;
    const bucket = this.#buckets.get(token) ?? { left: most, at: now };
    const left = Math.min(most, bucket.left + ((now - bucket.at) / 1000) * this.#perSecond);
    const allowed = left >= 1;
    this.#buckets.set(token, { left: allowed ? left - 1 : left, at: now });
    return allowed;
  }
}
