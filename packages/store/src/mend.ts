import type { Driver } from './driver.ts';
import { sharedRecords } from './refusals.ts';

/**
 * Refuses to cut a session before records that forks share: those would lose what is sound, and take what is written
 * next under the same numbers for their own.
 */
export async function refuseIfForksLose(driver: Driver, session: string): Promise<void> {
  const { damages } = await driver.verify(session);
  const first = damages.reduce((least, { seq = 0 }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  const losing: string[] = [];
  for await (const { id, fork } of driver.list({ forkOf: session })) {
    if (fork !== undefined && fork.at >= first) losing.push(id);
  }
  if (losing.length > 0) throw sharedRecords(session, losing);
}
