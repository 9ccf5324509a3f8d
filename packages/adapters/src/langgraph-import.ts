import { isDeepStrictEqual } from 'node:util';

import type { RunnableConfig } from '@langchain/core/runnables';
import type { BaseCheckpointSaver, Checkpoint, CheckpointTuple, PendingWrite } from '@langchain/langgraph-checkpoint';

/** What was imported, and what did not come through as it was. */
export type ImportedThreads = {
  readonly threads: number;
  readonly checkpoints: number;
  readonly writes: number;
  readonly lost: readonly { readonly thread: string; readonly checkpoint: string; readonly what: string }[];
};

/** The checkpointer to import from, and the one to import into: any that LangGraph can use. */
export type ImportThreadsOptions = {
  readonly from: BaseCheckpointSaver<number | string>;
  readonly into: BaseCheckpointSaver<number | string>;
  /** One thread only (default: all). */
  readonly thread?: string;
};

const keyOf = ({ configurable = {} }: RunnableConfig): string =>
  JSON.stringify([configurable['thread_id'], configurable['checkpoint_ns'] ?? '', configurable['checkpoint_id']]);

/**
 * Copies threads with all their checkpoints and pending writes, for example from `SqliteSaver` or `PostgresSaver`, and
 * reads each one again. Checkpoints that are there already stay as they are, so an import can be repeated.
 */
export async function importThreads({ from, into, thread }: ImportThreadsOptions): Promise<ImportedThreads> {
  const tuples: CheckpointTuple[] = [];
  const which = thread === undefined ? {} : { configurable: { thread_id: thread } };
  for await (const tuple of from.list(which)) tuples.push(tuple);
  const byKey = new Map(tuples.map((tuple) => [keyOf(tuple.config), tuple]));
  // A parent is always older than its children.
  tuples.sort((a, b) => (a.checkpoint.id < b.checkpoint.id ? -1 : 1));
  const lost: ImportedThreads['lost'][number][] = [];
  let writes = 0;
  for (const tuple of tuples) {
    if ((await into.getTuple(tuple.config)) === undefined) {
      const parent = tuple.parentConfig === undefined ? undefined : byKey.get(keyOf(tuple.parentConfig));
      writes += await copy(tuple, parent, into);
    }
    const what = differenceOf(tuple, await into.getTuple(tuple.config));
    const id = tuple.config.configurable?.['thread_id'] as string;
    if (what !== undefined) lost.push({ thread: id, checkpoint: tuple.checkpoint.id, what });
  }
  const threads = new Set(tuples.map(({ config }) => config.configurable?.['thread_id'] as string));
  return { threads: threads.size, checkpoints: tuples.length, writes, lost };
}

/** Returns the number of pending writes. */
async function copy(
  { config, parentConfig, checkpoint, metadata, pendingWrites = [] }: CheckpointTuple,
  parent: CheckpointTuple | undefined,
  into: BaseCheckpointSaver<number | string>,
): Promise<number> {
  const { thread_id, checkpoint_ns = '' } = config.configurable as Record<string, string>;
  const before = parent?.checkpoint.channel_versions ?? {};
  const changed = Object.entries(checkpoint.channel_versions).filter(([name, version]) => before[name] !== version);
  const place = parentConfig ?? { configurable: { thread_id, checkpoint_ns } };
  const stored = metadata ?? { source: 'update', step: -1, parents: {} };
  await into.put(place, checkpoint, stored, Object.fromEntries(changed));
  const byTask = new Map<string, PendingWrite[]>();
  for (const [task, channel, value] of pendingWrites) {
    byTask.set(task, [...(byTask.get(task) ?? []), [channel, value]]);
  }
  for (const [task, some] of byTask) await into.putWrites(config, some, task);
  return pendingWrites.length;
}

/** Some checkpointers also store the defaults of channels that were never written. */
const versioned = ({ channel_values: values, channel_versions: versions }: Checkpoint): object =>
  Object.fromEntries(Object.entries(values).filter(([channel]) => Object.hasOwn(versions, channel)));

/** The first part of a checkpoint that did not come through. */
function differenceOf(given: CheckpointTuple, stored: CheckpointTuple | undefined): string | undefined {
  if (stored === undefined) return 'the checkpoint';
  const parts: readonly (readonly [what: string, of: (tuple: CheckpointTuple) => unknown])[] = [
    ['the channel values', ({ checkpoint }) => versioned(checkpoint)],
    ['the versions', ({ checkpoint }) => [checkpoint.channel_versions, checkpoint.versions_seen]],
    ['the metadata', ({ metadata }) => metadata],
    ['the pending writes', ({ pendingWrites = [] }) => pendingWrites],
  ];
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;
  return parts.find(([, of]) => !isDeepStrictEqual(plain(of(given)), plain(of(stored))))?.[0];
}
