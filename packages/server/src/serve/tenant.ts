import { StoreError, type Session, type SessionInfo, type Store } from '@rethread/store';

import { failure } from './failure.ts';

const mostAttempts = 20;
const waitMs = 10;

/**
 * The part of a store that a token may see. Sessions of a tenant have ids that begin with its name and a colon; names
 * of tenants have none, so that no id of one tenant can be read as one of another.
 */
export class Tenancy {
  readonly store: Store;
  readonly #prefix: string;

  constructor(store: Store, tenant: string | undefined) {
    this.store = store;
    this.#prefix = tenant === undefined ? '' : `${tenant}:`;
  }

  /** The id under which the store knows a session. */
  inside(id: string): string {
    return this.#prefix + id;
  }

  /** The id under which the client knows a session; undefined if it is not the client's to know. */
  outside(id: string): string | undefined {
    return id.startsWith(this.#prefix) ? id.slice(this.#prefix.length) : undefined;
  }

  session(id: string): Promise<Session> {
    return this.store.session(this.inside(id));
  }

  /**
   * Writes to a session, and gives its lease back at once, because the next writer may be another service on the same
   * store. While that one writes, this one waits a moment.
   */
  async write<T>(id: string, work: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.session(id);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work(session);
      } catch (error) {
        const isTaken = StoreError.is(error) && error.details.owner !== undefined;
        if (!isTaken || attempt === mostAttempts) throw error;
        await new Promise((resolve) => setTimeout(resolve, attempt * waitMs));
      } finally {
        await session.close();
      }
    }
  }

  /** What a client may know of a session. */
  describe(info: SessionInfo): SessionInfo {
    const { id, parent, fork, ...rest } = info;
    const own = this.outside(id);
    if (own === undefined) throw failure(404, 'missing', 'there is no such session');
    const above = parent === undefined ? undefined : this.outside(parent);
    const from = fork === undefined ? undefined : this.outside(fork.from);
    return {
      ...rest,
      id: own,
      ...(above !== undefined && { parent: above }),
      ...(fork !== undefined && from !== undefined && { fork: { ...fork, from } }),
    };
  }

  async *list(after: string | undefined, archived: boolean | 'any'): AsyncGenerator<SessionInfo> {
    const behind = after === undefined ? {} : { after: this.inside(after) };
    for await (const info of this.store.list({ archived, ...behind })) {
      if (this.outside(info.id) !== undefined) yield this.describe(info);
    }
  }
}
