import { coerceMessageLikeToMessage, isBaseMessage, type BaseMessageLike } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  getCheckpointId,
  maxChannelVersion,
  TASKS,
  WRITES_IDX_MAP,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
  type PendingWrite,
  type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { repair } from '@rethread/core';
import { type Session, type Store, StoreError } from '@rethread/store';

import type { EncodedValue, LoggedCheckpoint } from './checkpoint-log.ts';
import { CheckpointThread } from './checkpoint-thread.ts';
import { isNews, repairOptions, type Choices } from './reporting.ts';
import { decodeValue, ValueEncoder } from './value-encoder.ts';

export type RethreadSaverOptions = Choices & {
  /** Replaces the serializer of LangGraph, for example to encrypt. Values are then stored whole, not as deltas. */
  readonly serde?: SerializerProtocol;
};

type Place = { readonly thread: string; readonly ns: string; readonly id: string | undefined };

/** Thread ids may be numbers. */
const textOf = (id: unknown): string => (typeof id === 'string' ? id : JSON.stringify(id));

function placeOf(config: RunnableConfig): Partial<Place> {
  const { thread_id: thread, checkpoint_ns: ns }: Record<string, unknown> = config.configurable ?? {};
  const id = getCheckpointId(config);
  return {
    ...(thread === undefined ? {} : { thread: textOf(thread) }),
    ...(ns === undefined ? {} : { ns: textOf(ns) }),
    ...(id === '' ? {} : { id }),
  };
}

function requireThread(config: RunnableConfig): string {
  const { thread } = placeOf(config);
  if (thread === undefined) throw new Error('the config has no "thread_id" in "configurable"');
  return thread;
}

const configOf = (thread_id: string, checkpoint_ns: string, checkpoint_id: string): RunnableConfig => ({
  configurable: { thread_id, checkpoint_ns, checkpoint_id },
});

/**
 * A checkpointer over a store. Each thread is a session. A checkpoint stores what changed since its parent, and the
 * writes of the tasks that led to it go into the same append. Lists of messages are repaired when they are loaded.
 */
export class RethreadSaver extends BaseCheckpointSaver {
  readonly #store: Store;
  readonly #options: RethreadSaverOptions;
  readonly #threads = new Map<string, Promise<CheckpointThread>>();
  readonly #encoder: ValueEncoder;

  constructor(store: Store, options: RethreadSaverOptions = {}) {
    super(options.serde);
    this.#store = store;
    this.#options = options;
    this.#encoder = new ValueEncoder(this.serde, options.serde === undefined ? 'as-lists' : 'whole');
  }

  /**
   * The session of a thread, for `durableTool({ session: saver.sessionOf })`. It waits until the checkpoints that
   * LangGraph has handed over are stored, so that no tool runs before the call is.
   */
  readonly sessionOf = async (...context: readonly unknown[]): Promise<Session> => {
    const config = context.find((each): each is RunnableConfig => placeOf(each as RunnableConfig).thread !== undefined);
    if (config === undefined) throw new Error('no config with a "thread_id" was passed to the tool');
    const thread = await this.#thread(requireThread(config));
    await thread.flush();
    return thread.session;
  };

  /** Resolves when everything that LangGraph has handed over for the thread is stored. */
  async stored(config: RunnableConfig): Promise<void> {
    await (await this.#thread(requireThread(config))).flush();
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread: name, ns = '', id } = placeOf(config);
    const thread = name === undefined ? undefined : await this.#existing(name);
    if (name === undefined || thread === undefined) return undefined;
    await thread.refresh();
    const found = id === undefined ? thread.log.checkpoints(ns)[0] : thread.log.find(ns, id);
    return found === undefined ? undefined : this.#toTuple(thread, found, { thread: name, ns });
  }

  async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread: only, ns: wanted, id } = placeOf(config);
    const { limit = Infinity, filter = {} } = options;
    const before = options.before === undefined ? undefined : placeOf(options.before).id;
    let left = limit;
    for await (const name of only === undefined ? this.#names() : [only]) {
      const thread = await this.#existing(name);
      if (thread === undefined) continue;
      await thread.refresh();
      const spaces = wanted === undefined ? thread.log.namespaces() : [wanted];
      for (const ns of spaces) {
        for (const each of thread.log.checkpoints(ns)) {
          if (left <= 0) return;
          if ((id !== undefined && each.id !== id) || (before !== undefined && each.id >= before)) continue;
          const meta = (await this.#encoder.decodePlain(each.meta)) as Readonly<Record<string, unknown>>;
          if (!Object.entries(filter).every(([key, value]) => meta[key] === value)) continue;
          yield await this.#toTuple(thread, each, { thread: name, ns });
          left -= 1;
        }
      }
    }
  }

  async put(...given: Parameters<BaseCheckpointSaver['put']>): Promise<RunnableConfig> {
    const [config, checkpoint, metadata, newVersions] = given;
    const name = requireThread(config);
    const { ns = '', id: parent } = placeOf(config);
    const thread = await this.#thread(name);
    await thread.add(ns, {
      put: async () => {
        const changed = new Map<string, Awaited<ReturnType<ValueEncoder['encode']>> | undefined>();
        for (const channel of Object.keys(newVersions)) {
          const value = Object.hasOwn(checkpoint.channel_values, channel)
            ? checkpoint.channel_values[channel]
            : undefined;
          changed.set(channel, value === undefined ? undefined : await this.#encoder.encode(value));
        }
        const meta = await this.#encoder.encodePlain(metadata);
        return { checkpoint, parent, meta, changed };
      },
    });
    return configOf(name, ns, checkpoint.id);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string): Promise<void> {
    const name = requireThread(config);
    const { ns = '', id } = placeOf(config);
    if (id === undefined) throw new Error('the config has no "checkpoint_id" in "configurable"');
    const thread = await this.#thread(name);
    await thread.add(ns, {
      writes: async () => {
        const encoded = [];
        for (const [at, [channel, value]] of writes.entries()) {
          const index = WRITES_IDX_MAP[channel] ?? at;
          encoded.push({ channel, index, value: await this.#encoder.encode(value) });
        }
        return { of: id, task, writes: encoded };
      },
    });
  }

  async deleteThread(threadId: string): Promise<void> {
    const thread = await this.#existing(threadId);
    this.#threads.delete(threadId);
    await thread?.flush();
    await thread?.session.erase();
  }

  async *#names(): AsyncGenerator<string> {
    for await (const { id } of this.#store.list({ archived: 'any' })) yield id;
  }

  async #existing(name: string): Promise<CheckpointThread | undefined> {
    try {
      return await (this.#threads.get(name) ?? this.#open(name, (id) => this.#store.session(id)));
    } catch (error) {
      if (StoreError.is(error) && error.code === 'missing') return undefined;
      throw error;
    }
  }

  #thread(name: string): Promise<CheckpointThread> {
    return this.#threads.get(name) ?? this.#open(name, (id) => openSession(this.#store, id));
  }

  #open(name: string, find: (id: string) => Promise<Session>): Promise<CheckpointThread> {
    const opening = find(name).then((session) => new CheckpointThread(session));
    this.#threads.set(name, opening);
    // A thread that is missing now may be created later.
    opening.catch(() => this.#threads.delete(name));
    return opening;
  }

  async #toTuple(thread: CheckpointThread, at: LoggedCheckpoint, place: Omit<Place, 'id'>): Promise<CheckpointTuple> {
    const { id, parent, ts, v, versions, seen, meta } = at;
    const values: Record<string, unknown> = {};
    for (const [channel, value] of at.values) values[channel] = this.#repaired(await this.#decode(value));
    const checkpoint = {
      v,
      id,
      ts,
      channel_values: values,
      channel_versions: { ...versions },
      versions_seen: { ...seen },
    };
    const tuple: CheckpointTuple = {
      config: configOf(place.thread, place.ns, id),
      // The tables are copies, and LangGraph may change them.
      checkpoint: structuredTables(checkpoint),
      metadata: (await this.#encoder.decodePlain(meta)) as CheckpointMetadata,
      pendingWrites: await this.#writes(thread, place.ns, id),
    };
    if (parent === undefined) return tuple;
    if (v < 4) await this.#migrateSends(thread, tuple.checkpoint, { ...place, id: parent });
    return { ...tuple, parentConfig: configOf(place.thread, place.ns, parent) };
  }

  async #writes(thread: CheckpointThread, ns: string, id: string): Promise<CheckpointPendingWrite[]> {
    const writes: CheckpointPendingWrite[] = [];
    for (const { task, channel, value } of thread.log.writes(ns, id)) {
      writes.push([task, channel, await this.#decode(value)]);
    }
    return writes;
  }

  /** Checkpoints before version 4 held the sends of a step in the writes of their parent. */
  async #migrateSends(thread: CheckpointThread, checkpoint: Checkpoint, { ns, id = '' }: Place): Promise<void> {
    const sends = (await this.#writes(thread, ns, id)).filter(([, channel]) => channel === TASKS);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_values[TASKS] = sends.map(([, , value]) => value);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }

  async #decode(value: EncodedValue): Promise<unknown> {
    return decodeValue(this.serde, value);
  }

  /** Calls of the last message stay open: the tools node may be about to answer them. */
  #repaired(value: unknown): unknown {
    if (!Array.isArray(value) || value.length === 0 || !value.every((each) => isBaseMessage(each))) return value;
    const options = { ...repairOptions(this.#options), open: 'leave' } as const;
    const { output, changed, report } = repair<BaseMessageLike[]>(value, 'langchain', options);
    if (isNews(report)) this.#options.onReport?.(report);
    return changed ? output.map(coerceMessageLikeToMessage) : value;
  }
}

function structuredTables(checkpoint: Checkpoint): Checkpoint {
  const seen = Object.entries(checkpoint.versions_seen).map(([node, versions]) => [node, { ...versions }]);
  return { ...checkpoint, versions_seen: Object.fromEntries(seen) as Checkpoint['versions_seen'] };
}

async function openSession(store: Store, id: string): Promise<Session> {
  try {
    return await store.session(id);
  } catch (error) {
    if (!StoreError.is(error) || error.code !== 'missing') throw error;
  }
  try {
    return await store.create({ id });
  } catch (error) {
    if (!StoreError.is(error) || error.code !== 'exists') throw error;
    return store.session(id);
  }
}
