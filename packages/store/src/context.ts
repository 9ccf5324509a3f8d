import { checkOptions, checkText } from './arguments.ts';
import type { ForkPoint } from './driver.ts';
import { infoOf } from './log.ts';
import { StoreError } from './store-error.ts';
import { Writer, type WriterOptions } from './writer.ts';

export type Context = WriterOptions & {
  /** One writer per session, so that two handles of one store never fence each other off. */
  readonly writers: Map<string, Writer>;
  /** Recoveries that are writing their repair notes, by session. */
  readonly recoveries: Map<string, Promise<unknown>>;
};

/** Longer ids would exceed the key size of a database after escaping. */
const longestId = 256;

/** Runs a short write, then releases the lease unless the store already held it. */
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

/** Returns the writer of a session. A writer that lost its lease is replaced. */
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
  /** 1 to 256 UTF-16 code units (default: a generated id). */
  readonly id?: string;
  readonly title?: string;
  /** The parent session, for delegation. */
  readonly parent?: string;
  /** The parent's call that this session answers. */
  readonly callId?: string;
};

export function checkId(id: string): void {
  if (typeof id !== 'string') throw new StoreError('unstorable', `the session id must be a string, not ${typeof id}`);
  if (id.length === 0 || id.length > longestId) {
    throw new StoreError('unstorable', `the session id must have 1 to ${longestId} characters; it has ${id.length}`);
  }
}

/** The fork point, and the source's creation time: a new session may reuse the id of an erased one. */
export type ForkSource = ForkPoint & { readonly createdAt: string };

/** Creates an empty session or a fork, and returns its id. */
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

/** The source may have been erased and created anew while the fork was made, so this checks it again. */
async function beginFork(context: Context, id: string, { from, at, createdAt }: ForkSource): Promise<void> {
  const { driver } = context;
  const writer = writerOf(context, id);
  await writer.append([{ kind: 'fork', data: { from, at } }]);
  if ((await driver.info(from))?.createdAt === createdAt) return;
  await writer.exclusively((lease) => driver.erase(lease));
  writer.retire();
  throw new StoreError('missing', `session ${JSON.stringify(from)} was erased while it was forked`, { session: from });
}

type Link = { readonly parent: string; readonly child: string; readonly callId: string | undefined };

/**
 * Links the child first. If another process writes to the parent, the parent gets no link record. The child is still
 * found, because the session list stores its parent.
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
