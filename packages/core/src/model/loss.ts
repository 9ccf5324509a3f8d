import type { At } from './finding.ts';
import type { Place } from './part.ts';

/** What of a history cannot be said in another dialect. */
export type LossKind =
  | 'reasoning'
  | 'id'
  | 'name'
  | 'media'
  | 'system'
  | 'outcome'
  | 'call'
  | 'result'
  | 'part'
  | 'message'
  | 'tool'
  | 'key'
  | 'repair';

/** One thing that a conversion could not carry over as it was. */
export type ConversionLoss = {
  /** Where it stands in the input as it was given. */
  readonly at: At;
  readonly kind: LossKind;
  /** What it is, in a few words. */
  readonly what: string;
  /** What stands in its place: nothing, the same content as text, or the same content in another form or place. */
  readonly became: 'nothing' | 'text' | 'other';
  readonly why: string;
};

/** A loss as it is noticed, before it is known where the list stands in the input. */
export type Lost = Omit<ConversionLoss, 'at' | 'became'> & { readonly became?: ConversionLoss['became'] };

/** Where something stands: in which message and part, and under which JSON pointer of the input. */
export type Spot = { readonly at: Place; readonly path: string };

/** The same of a part: what we made ourselves stands nowhere in the input. */
export type Where = { readonly at?: Place | undefined; readonly path?: string | undefined };

/** Takes note of a loss. */
export type Lose = (where: Where, loss: Lost) => void;
