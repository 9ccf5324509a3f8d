import { checkOptions, checkSeq, checkWord } from './arguments.ts';
import { type Context, writerOf } from './context.ts';
import { digestOf } from './digest.ts';
import type { Driver } from './driver.ts';
import { infoOf } from './log.ts';
import { sharedRecords } from './refusals.ts';
import { StoreError } from './store-error.ts';

export type EraseOptions = {
  /** Forks share records of the session. `refuse` (default) stops if there are any; `erase` erases them too. */
  readonly forks?: 'refuse' | 'erase';
  /** The expected head. If the session has moved on, the erasure is a `conflict` and changes nothing. */
  readonly expect?: number;
};

/** Proof of an erasure, without any of the content. */
export type Receipt = {
  readonly session: string;
  readonly erasedAt: string;
  /** The session's own records and bytes. */
  readonly records: number;
  readonly bytes: number;
  /** The digest of the whole log before the erasure; absent if the log was unreadable. */
  readonly digest?: string;
  /** Where copies remain and what will remove them; absent if none are known. */
  readonly remains?: readonly string[];
  /** Receipts of the forks erased with the session. */
  readonly forks: readonly Receipt[];
};

async function forksOf({ driver }: Context, session: string): Promise<string[]> {
  const forks: string[] = [];
  for await (const { id } of driver.list({ forkOf: session })) forks.push(id);
  return forks;
}

/** An early check before the log is read. The driver repeats it in the write that erases. */
async function refuseIfShared(context: Context, session: string): Promise<void> {
  const forks = await forksOf(context, session);
  if (forks.length === 0) return;
  throw sharedRecords(session, forks);
}

/** Called before any fork is erased, and again with the lease, so that no write can come between. */
async function refuseIfMoved({ driver }: Context, session: string, expected: number | undefined): Promise<void> {
  if (expected === undefined) return;
  const { seq: head } = await infoOf(driver, session);
  if (head === expected) return;
  const sentence = `session ${JSON.stringify(session)} was not erased: its head is record ${head}, not ${expected}`;
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

/** Removes a session for good. Nothing else removes records. */
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
    // Checked before the lease is acquired, so that a refusal does not block other writers.
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
 * Refuses to cut a session before records that forks share. The forks would lose sound records and later see new
 * records under the old numbers.
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
