import type { JsonObject } from './docket.ts';

/** One sealed reasoning as the judge meets it in a request. */
export interface Sealed {
  /** The signature, the encrypted content or the thought signature, as it was sent. */
  readonly seal: string;
  /** What the seal covers: the thinking text, a reasoning's summary, a part without its signature. */
  readonly content: unknown;
  /** The list as it was sent; what stands in it before the message that carries the seal is the prefix. */
  readonly list: readonly unknown[];
  /** Index of that message in the list. */
  readonly message: number;
  readonly model: string | undefined;
  /** The request around the list: its instructions and tools belong to the prefix too. */
  readonly body?: JsonObject | undefined;
  /** The part of the same message that stands right before the sealed one; empty where that is the first. */
  readonly before?: readonly unknown[];
  /** The seal of the sealed reasoning before this one, wherever in the list that is. */
  readonly previous?: string | undefined;
  /** Whether it stands in the latest turn of the assistant. */
  readonly latest?: boolean;
}

/**
 * `genuine`: as it was given out. `foreign`: given out by nobody here. `changed`: the content is not what was sealed.
 * `prefix-changed`: what stands before is not what stood there when it was sealed. `chain-broken`: a sealed reasoning
 * that stood between this one and an earlier one is gone.
 */
export type SealVerdict = 'genuine' | 'foreign' | 'changed' | 'prefix-changed' | 'chain-broken';

/** Asked about every sealed reasoning; without one the judge sees only the form of a seal. */
export type SealCheck = (sealed: Sealed) => SealVerdict;
