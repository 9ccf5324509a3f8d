import type { Codec } from '../model/codec.ts';
import type { Profile } from '../model/profile.ts';
import type { Scales } from './scales.ts';

/** Something of the input that is not in the output as it was, with its place in the input. */
export type Gone = {
  readonly from: number;
  /** The first message that this is not about any more. */
  readonly to: number;
  readonly what: 'clamped' | 'repeated' | 'pruned' | 'summarised' | 'reasoning' | 'repaired';
  readonly note: string;
};

/** What every step of a compaction works with. */
export type Bench = {
  readonly codec: Codec;
  readonly profile: Profile;
  readonly count: (text: string) => number;
  readonly scales: Scales;
};

/** A list after a step: the same list where there was nothing to do. */
export type Shortened = { readonly list: readonly unknown[]; readonly gone: readonly Gone[] };
