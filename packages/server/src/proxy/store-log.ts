import type { Session, Store } from '@rethread/store';

import type { ExchangeEntry } from './exchange-log.ts';

export type StoreLogOptions = {
  /** Maximum entries of one session; the next one begins a new session (default: 10000). */
  readonly most?: number;
  /** How many sessions are kept; older ones are erased (default: 3). */
  readonly sessions?: number;
  /** Called when the store fails; the log ends, and the proxy goes on. */
  readonly onError?: (error: unknown) => void;
};

export type StoreLog = {
  readonly add: (entry: ExchangeEntry) => void;
  /** Waits until everything is written. */
  readonly close: () => Promise<void>;
};

/** Ids of these sessions begin like this, so that they sort by time. */
export const logPrefix = 'proxy-log-';

const mostWaiting = 10_000;
const batch = 200;

/** Writes exchanges into sessions of a store as notes, where `follow` and the inspector find them. */
export function openStoreLog(store: Store, options: StoreLogOptions = {}): StoreLog {
  const { most = 10_000, sessions = 3, onError = () => undefined } = options;
  const waiting: ExchangeEntry[] = [];
  let session: Session | undefined;
  let count = 0;
  let writing: Promise<void> | undefined;
  let hasFailed = false;
  const current = async (): Promise<Session> => {
    if (session !== undefined && count < most) return session;
    await session?.close();
    count = 0;
    session = await store.create({
      id: `${logPrefix}${new Date().toISOString()}`,
      title: 'requests through the proxy',
    });
    await eraseOld(store, sessions);
    return session;
  };
  const write = async (): Promise<void> => {
    try {
      while (waiting.length > 0) {
        const target = await current();
        const entries = waiting.splice(0, Math.min(batch, most - count));
        count += entries.length;
        await target.append(entries.map((exchange) => ({ kind: 'note', data: { exchange } })));
      }
    } catch (error) {
      hasFailed = true;
      waiting.length = 0;
      onError(error);
    }
  };
  const start = (): Promise<void> =>
    write().finally(() => {
      // An entry may have come after the last look.
      writing = waiting.length > 0 ? start() : undefined;
    });
  return {
    add: (entry) => {
      if (hasFailed || waiting.length >= mostWaiting) return;
      waiting.push(entry);
      writing ??= start();
    },
    close: async () => {
      for (let current = writing; current !== undefined; current = writing) await current;
      await session?.close();
    },
  };
}

async function eraseOld(store: Store, kept: number): Promise<void> {
  const ids: string[] = [];
  for await (const { id } of store.list({ archived: 'any' })) if (id.startsWith(logPrefix)) ids.push(id);
  for (const id of ids.sort().slice(0, -kept)) {
    const old = await store.session(id);
    // Another proxy may be writing to it.
    await old.erase().catch(() => undefined);
  }
}
