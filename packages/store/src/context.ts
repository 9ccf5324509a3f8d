import type { Driver, ForkPoint } from './driver.ts';
import type { Environment } from './environment.ts';
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
  /** One writer per session, so that two handles of one store never fence each other off. */
  readonly writers: Map<string, Writer>;
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
  if (known !== undefined && !known.isLost) return known;
  const writer = new Writer(session, context);
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

/** Makes a session that shares records with another one, or an empty one, and gives its id. */
export async function createSession(context: Context, options: CreateOptions, fork?: ForkPoint): Promise<string> {
  const { driver, environment } = context;
  const { id = environment.id(), title, parent, callId } = options;
  checkId(id);
  if (parent !== undefined && (await driver.info(parent)) === undefined) {
    throw new StoreError('missing', `there is no session ${JSON.stringify(parent)}`, { session: parent });
  }
  await driver.create(id, {
    createdAt: new Date(environment.now()).toISOString(),
    base: fork?.at ?? 0,
    ...(title === undefined ? {} : { title }),
    ...(parent === undefined ? {} : { parent }),
    ...(fork === undefined ? {} : { fork }),
  });
  const writer = writerOf(context, id);
  if (fork !== undefined) await beginFork(context, writer, fork);
  if (parent !== undefined) await linkBothWays(context, { parent, child: id, callId });
  return id;
}

/** A source that was erased while the fork was made would leave one that nobody can read. */
async function beginFork({ driver }: Context, writer: Writer, fork: ForkPoint): Promise<void> {
  await writer.append([{ kind: 'fork', data: fork }]);
  if ((await driver.info(fork.from)) !== undefined) return;
  await writer.exclusively((lease) => driver.erase(lease));
  writer.retire();
  throw new StoreError('missing', `session ${JSON.stringify(fork.from)} was erased meanwhile`, { session: fork.from });
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
    await writeAside(context, parent, (writer) => writer.append([link], { op: `link ${child}` }));
  } catch (error) {
    if (!(error instanceof StoreError) || !['conflict', 'stale'].includes(error.code)) throw error;
    context.environment.tell({ kind: 'link-one-way', sentence: error.message, session: parent });
  }
}
