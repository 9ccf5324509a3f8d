import { type Stats, statsOf } from '@rethread/agent';
import { type Session, type SessionInfo, type Store, StoreError, type StoredRecord } from '@rethread/store';

import { messageIn } from '../store/record-text.ts';

/** What the logs of a store tell, with what only a look back into them can tell. */
export interface Collected {
  readonly stats: Stats;
  /** How often a message was repaired that has calls or results of a tool. */
  readonly repairsByTool: Readonly<Record<string, number>>;
  /** Sessions with at least one repair. */
  readonly repairedSessions: number;
  /** Sessions that could not be read to the end, and why. */
  readonly damaged: readonly { readonly session: string; readonly problem: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The message that a repair was made in, by its number. */
function repairedMessage({ kind, data }: StoredRecord): number | undefined {
  if (kind !== 'repair' || !isFields(data) || !isFields(data['at'])) return undefined;
  const { seq } = data['at'];
  return typeof seq === 'number' ? seq : undefined;
}

/** The tools that a message has calls of, or that a result came from. */
function toolsIn(record: StoredRecord): ReadonlySet<string> {
  const { kind, data } = record;
  if (!isFields(data)) return new Set();
  if (kind === 'call.settled') return new Set(typeof data['tool'] === 'string' ? [data['tool']] : []);
  return new Set(messageIn(record)?.parts.flatMap((part) => (part.kind === 'call' ? [part.tool] : [])));
}

class Collection {
  readonly byTool = new Map<string, number>();
  readonly repaired = new Set<string>();
  readonly damaged: { session: string; problem: string }[] = [];

  /** Passes the records on, and looks at repairs on the way. */
  async *read(session: Session, { base }: SessionInfo): AsyncGenerator<StoredRecord> {
    try {
      // What a fork shares is counted where it was written.
      for await (const record of session.read({ after: base })) {
        if (record.kind === 'repair') await this.#repair(session, record);
        yield record;
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.damaged.push({ session: session.id, problem: error.message });
    }
  }

  async #repair(session: Session, record: StoredRecord): Promise<void> {
    this.repaired.add(session.id);
    const seq = repairedMessage(record);
    if (seq === undefined) return;
    const [message] = await session.load({ after: seq - 1, before: seq + 1 });
    if (message === undefined) return;
    for (const tool of toolsIn(message)) this.byTool.set(tool, (this.byTool.get(tool) ?? 0) + 1);
  }
}

async function* logsOf(
  sessions: AsyncIterable<{ readonly session: Session; readonly info: SessionInfo }>,
  collection: Collection,
): AsyncGenerator<AsyncIterable<StoredRecord>> {
  for await (const { session, info } of sessions) yield collection.read(session, info);
}

async function* sessionsOf(
  store: Store,
  id: string | undefined,
): AsyncGenerator<{ readonly session: Session; readonly info: SessionInfo }> {
  if (id !== undefined) {
    const session = await store.session(id);
    yield { session, info: await session.info() };
    return;
  }
  for await (const info of store.list({ archived: 'any' })) yield { session: await store.session(info.id), info };
}

/** Reads the log of every session of a store, or of one, record by record. */
export async function collect(store: Store, id: string | undefined): Promise<Collected> {
  const collection = new Collection();
  const stats = await statsOf(logsOf(sessionsOf(store, id), collection));
  const { byTool, repaired, damaged } = collection;
  return { stats, repairsByTool: Object.fromEntries(byTool), repairedSessions: repaired.size, damaged };
}
