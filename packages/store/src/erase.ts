import { checkOptions, checkSeq, checkWord } from './arguments.ts';
import { type Context, writerOf } from './context.ts';
import { digestOf } from './digest.ts';
import type { Driver } from './driver.ts';
import { infoOf } from './log.ts';
import { sharedRecords } from './refusals.ts';
import { StoreError } from './store-error.ts';

export type EraseOptions = {
  /** Forks share records of the session, so they stand in the way of erasing it, unless they are erased too. */
  readonly forks?: 'refuse' | 'erase';
  /** The newest record that is known; a session that was written to since is a `conflict`, and stays. */
  readonly expect?: number;
};

/** Says what was erased without telling what it said. */
export type Receipt = {
  readonly session: string;
  readonly erasedAt: string;
  /** Records and bytes of its own log. */
  readonly records: number;
  readonly bytes: number;
  /** The digest of the whole log before; absent when it was too damaged to be read. */
  readonly digest?: string;
  /** Where copies still are and what will remove them, in sentences; absent when there are none that we know of. */
  readonly remains?: readonly string[];
  /** Receipts of the forks that were erased with it. */
  readonly forks: readonly Receipt[];
};

async function forksOf({ driver }: Context, session: string): Promise<string[]> {
  const forks: string[] = [];
  for await (const { id } of driver.list({ forkOf: session })) forks.push(id);
  return forks;
}

/** Asked before the log is summed up; the driver asks again, in the write that erases. */
async function refuseIfShared(context: Context, session: string): Promise<void> {
  const forks = await forksOf(context, session);
  if (forks.length === 0) return;
  throw sharedRecords(session, forks);
}

/** Asked before any fork goes, and again with the lease, so that nobody writes between the question and the erasure. */
async function refuseIfMoved({ driver }: Context, session: string, expected: number | undefined): Promise<void> {
  if (expected === undefined) return;
  const { seq: head } = await infoOf(driver, session);
  if (head === expected) return;
  const sentence = `session ${JSON.stringify(session)} is at record ${head} and not at ${expected}: it was not erased`;
  throw new StoreError('conflict', sentence, { session, head, expected });
}

async function digestIfReadable({ driver }: Context, session: string): Promise<string | undefined> {
  try {
    return (await digestOf(driver, session)).digest;
  } catch (error) {
    if (error instanceof StoreError && ['damaged', 'missing'].includes(error.code)) return undefined;
    throw error;
  }
}

/** Removes a session for good. This is the only thing that takes back what was written. */
export async function eraseSession(context: Context, session: string, options: EraseOptions): Promise<Receipt> {
  checkOptions(options);
  const { forks, expect } = options;
  checkWord('forks', forks, ['refuse', 'erase']);
  checkSeq('expect', expect);
  await refuseIfMoved(context, session, expect);
  const receipts: Receipt[] = [];
  if (forks === 'erase') {
    for (const fork of await forksOf(context, session)) receipts.push(await eraseSession(context, fork, { forks }));
  } else {
    // Whoever is refused holds no lease afterwards that keeps others from writing.
    await refuseIfShared(context, session);
  }
  const writer = writerOf(context, session);
  const { digest, ...erased } = await writer.exclusively(async (lease) => {
    await refuseIfMoved(context, session, expect);
    await refuseIfShared(context, session);
    const before = await digestIfReadable(context, session);
    return { digest: before, ...(await context.driver.erase(lease)) };
  });
  writer.retire();
  const erasedAt = new Date(context.environment.now()).toISOString();
  return { session, erasedAt, ...erased, ...(digest === undefined ? {} : { digest }), forks: receipts };
}

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
