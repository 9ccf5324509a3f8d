import { createHash } from 'node:crypto';

import { type Session, type Store, StoreError } from '@rethread/store';

/** The types of the SDK, by structure: nothing of it is loaded. */
export type SessionKey = { projectKey: string; sessionId: string; subpath?: string };
export type SessionStoreEntry = { type: string; uuid?: string; timestamp?: string; [key: string]: unknown };

const KIND = 'claude-code.entry';

/** Project keys can be longer than the id of a session may be, so their digest stands for them. */
function prefixOf(projectKey: string, sessionId?: string): string {
  const digest = createHash('sha256').update(projectKey).digest('hex').slice(0, 16);
  return `claude:${digest}:${sessionId === undefined ? '' : encodeURIComponent(sessionId)}`;
}

function idOf({ projectKey, sessionId, subpath }: SessionKey): string {
  if (subpath === '') throw new TypeError('subpath must not be empty');
  return prefixOf(projectKey, sessionId) + (subpath === undefined ? '' : `:${subpath}`);
}

type Known = { readonly uuids: Set<string>; after: number };

/**
 * The `sessionStore` of the Claude Agent SDK over a store. Entries come back as they were appended. An entry is stored
 * once by its `uuid`, so the SDK may retry a batch.
 */
export class ClaudeSessionStore {
  readonly #store: Store;
  readonly #known = new Map<string, Known>();
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(store: Store) {
    this.#store = store;
  }

  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    const id = idOf(key);
    return this.#inTurn(id, async () => {
      if (entries.length === 0) return;
      const session = (await find(this.#store, id)) ?? (await this.#store.create({ id }));
      const stored = new Set(await this.#uuidsOf(session));
      const fresh = entries.filter(({ uuid }) => {
        const isNew = uuid === undefined || !stored.has(uuid);
        if (uuid !== undefined) stored.add(uuid);
        return isNew;
      });
      if (fresh.length > 0) await session.append(fresh.map((data) => ({ kind: KIND, data })));
    });
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const session = await find(this.#store, idOf(key));
    const records = (await session?.load()) ?? [];
    const entries = records.flatMap(({ kind, data }) => (kind === KIND ? [data as SessionStoreEntry] : []));
    return entries.length === 0 ? null : entries;
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    const all = await this.#below(prefixOf(projectKey));
    return all
      .filter(({ rest }) => !rest.includes(':'))
      .map(({ rest, mtime }) => ({ sessionId: decodeURIComponent(rest), mtime }));
  }

  /** Deletes a subagent, or a session with all its subagents. */
  async delete(key: SessionKey): Promise<void> {
    const main = idOf(key);
    const below = key.subpath === undefined ? await this.#below(`${main}:`) : [];
    for (const id of [...below.map(({ rest }) => `${main}:${rest}`), main]) {
      await this.#inTurn(id, async () => {
        this.#known.delete(id);
        await (await find(this.#store, id))?.erase();
      });
    }
  }

  async listSubkeys({ projectKey, sessionId }: { projectKey: string; sessionId: string }): Promise<string[]> {
    return (await this.#below(`${prefixOf(projectKey, sessionId)}:`)).map(({ rest }) => rest);
  }

  /** The uuids that a session has; only records that are new since the last time are read. */
  async #uuidsOf(session: Session): Promise<ReadonlySet<string>> {
    const known = this.#known.get(session.id) ?? { uuids: new Set<string>(), after: 0 };
    this.#known.set(session.id, known);
    for await (const { seq, data } of session.read({ after: known.after })) {
      const { uuid } = data as SessionStoreEntry;
      if (typeof uuid === 'string') known.uuids.add(uuid);
      known.after = seq;
    }
    return known.uuids;
  }

  async #below(prefix: string): Promise<readonly { readonly rest: string; readonly mtime: number }[]> {
    const found = [];
    for await (const { id, updatedAt } of this.#store.list({ archived: 'any' })) {
      if (id.startsWith(prefix)) found.push({ rest: id.slice(prefix.length), mtime: Date.parse(updatedAt) });
    }
    return found;
  }

  /** One change at a time for each key, because an append first reads what is there. */
  #inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const next = (this.#turns.get(id) ?? Promise.resolve()).then(work, work);
    this.#turns.set(
      id,
      next.catch(() => undefined),
    );
    return next;
  }
}

async function find(store: Store, id: string): Promise<Session | undefined> {
  try {
    return await store.session(id);
  } catch (error) {
    if (StoreError.is(error) && error.code === 'missing') return undefined;
    throw error;
  }
}
