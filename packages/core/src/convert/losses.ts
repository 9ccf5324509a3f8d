import type { ConversionLoss, Lose } from '../model/loss.ts';

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
