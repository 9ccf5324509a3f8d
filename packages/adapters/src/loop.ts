import { repair, type Evidence, type Repaired, type RepairOptions, type TargetInput } from '@rethread/core';

export { createAccumulator, type Accumulator } from '@rethread/core/streams';

export type SettleOptions = Pick<RepairOptions, 'policy' | 'next'> & {
  /** Where the history goes; what is left out is detected, or read strictly. */
  readonly target?: TargetInput;
};

/**
 * Closes whatever is open in a history that was stopped: every call without a result gets one that says what is known,
 * and what is half is kept as text. The history may be a list or a whole request, and is not changed.
 */
export function settle<T>(history: T, evidence?: Evidence, options: SettleOptions = {}): Repaired<T> {
  const { target, policy, next } = options;
  return repair(history, target, {
    open: 'close',
    ...(evidence !== undefined && { evidence }),
    ...(policy !== undefined && { policy }),
    ...(next !== undefined && { next }),
  });
}
