import { checkOptions, checkText } from './arguments.ts';
import type { Driver, ForkPoint } from './driver.ts';
import type { Environment } from './environment.ts';
import { infoOf } from './log.ts';
import type { Owner } from './owner.ts';
import { StoreError } from './store-error.ts';
import { Writer } from './writer.ts';

/** What everything in an opened store shares. */
export type Context = {
  readonly driver: Driver;
  readonly environment: Environment;
  readonly owner: Owner;
  readonly leaseMs: number;
  readonly recordLimit: number;
  /** One writer per session that is written to, so that two handles of one store never fence each other off. */
  readonly writers: Map<string, Writer>;
  /** The recoveries that note what they repaired, by session. */
  readonly recoveries: Map<string, Promise<unknown>>;
};

/** Longer ids would not fit into the keys of a database once they are escaped. */
const longestId = 256;

/** Writes something on the side: the lease is given back afterwards, unless it was held before. */
export async function writeAside<T>(
  context: Context,
  session: string,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  const writer = writerOf(context, session);
  const held = writer.holdsLease;
  try {
    return await work(writer);
  } finally {
    if (!held) await writer.release();
  }
}

/** The writer of a session. One that lost its lease is of no use, and a new handle gets a new one. */
export function writerOf(context: Context, session: string): Writer {
  const known = context.writers.get(session);
  if (known !== undefined && !known.isLost && !known.isOver) return known;
  const writer = new Writer(session, context, (ended) => {
    if (context.writers.get(session) === ended) context.writers.delete(session);
  });
  context.writers.set(session, writer);
  return writer;
}

export type CreateOptions = {
  /** Any text of 1 to 256 UTF-16 units; made up where it is left out. */
  readonly id?: string;
  readonly title?: string;
  /** The session that the new one works for. */
  readonly parent?: string;
  /** The call of the parent that the new session answers. */
  readonly callId?: string;
};

/** Refuses an id that no driver could keep. */
export function checkId(id: string): void {
  if (typeof id !== 'string') throw new StoreError('unstorable', `a session id is a text, not ${typeof id}`);
  if (id.length === 0 || id.length > longestId) {
    throw new StoreError('unstorable', `a session id has 1 to ${longestId} characters, not ${id.length}`);
  }
}

/** Where a fork begins, and when its source was made: another session may get the name of one that was erased. */
export type ForkSource = ForkPoint & { readonly createdAt: string };

/** Makes a session that shares records with another one, or an empty one, and gives its id. */
export async function createSession(context: Context, options: CreateOptions, source?: ForkSource): Promise<string> {
  const { driver, environment } = context;
  checkOptions(options);
  const { id = environment.id(), title, parent, callId } = options;
  checkId(id);
  checkText('title', title);
  checkText('callId', callId);
  if (parent !== undefined) checkId(parent);
  const fork = source && { from: source.from, at: source.at };
  if (parent !== undefined) await infoOf(driver, parent);
  await driver.create(id, {
    createdAt: new Date(environment.now()).toISOString(),
    base: fork?.at ?? 0,
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined ? {} : { parent }),
    ...(fork === undefined ? {} : { fork }),
  });
  if (source !== undefined) await beginFork(context, id, source);
  if (parent !== undefined) await linkBothWays(context, { parent, child: id, callId });
  return id;
}

/** The driver makes no fork of what is not there; what is there may have been erased and made anew since. */
async function beginFork(context: Context, id: string, { from, at, createdAt }: ForkSource): Promise<void> {
  const { driver } = context;
  const writer = writerOf(context, id);
  await writer.append([{ kind: 'fork', data: { from, at } }]);
  if ((await driver.info(from))?.createdAt === createdAt) return;
  await writer.exclusively((lease) => driver.erase(lease));
  writer.retire();
  throw new StoreError('missing', `session ${JSON.stringify(from)} was erased meanwhile`, { session: from });
}

type Link = { readonly parent: string; readonly child: string; readonly callId: string | undefined };

/**
 * The child is linked first. When somebody else writes to the parent, its side of the link is not written: the child is
 * found all the same, because the list of sessions knows whom it works for.
 */
async function linkBothWays(context: Context, { parent, child, callId }: Link): Promise<void> {
  const why = callId === undefined ? {} : { callId };
  await writerOf(context, child).append([{ kind: 'link', data: { parent, ...why } }]);
  try {
    const link = { kind: 'link', data: { child, ...why } };
    await writeAside(context, parent, (writer) => writer.append([link], { op: `link ${JSON.stringify(link.data)}` }));
  } catch (error) {
    if (!(error instanceof StoreError) || !['conflict', 'stale'].includes(error.code)) throw error;
    context.environment.tell({ kind: 'link-one-way', sentence: error.message, session: parent });
  }
}
