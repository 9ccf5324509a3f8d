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

/** A list of losses, and the way to put one into it. */
export function keepLosses(): { readonly losses: ConversionLoss[]; readonly lose: Lose } {
  const losses: ConversionLoss[] = [];
  const lose: Lose = ({ at: place, path = '' }, loss) => {
    const { message, part } = place ?? { message: -1 };
    const at = { message, ...(part === undefined ? {} : { part }), pointer: path };
    losses.push({ became: 'nothing', ...loss, at });
  };
  return { losses, lose };
}

/** What is lost around the list comes first, then message by message. */
export function inReadingOrder(losses: readonly ConversionLoss[]): readonly ConversionLoss[] {
  return losses.toSorted((a, b) => a.at.message - b.at.message);
}
