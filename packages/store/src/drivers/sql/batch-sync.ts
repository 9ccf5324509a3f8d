import type { DriverOptions } from '../../driver.ts';

/** With batch durability, schedules a sync after the first unsynced write; otherwise does nothing. */
export function createSyncs({ durability, environment }: DriverOptions, sync: () => void): () => void {
  if (typeof durability === 'string') return () => undefined;
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    environment.after(durability.batchMs, () => {
      pending = false;
      sync();
    });
  };
}
