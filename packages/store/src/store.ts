import type { TargetInput } from '@rethread/core';

import { checkLimit, checkOptions, checkText, checkWord } from './arguments.ts';
import { type Context, type CreateOptions, checkId, createSession } from './context.ts';
import { type Driver, type Durability, type ListQuery, type SessionInfo } from './driver.ts';
import type { Environment } from './environment.ts';
import { type ImportOptions, type Imported, importSession } from './import.ts';
import type { ByteSource } from './lines.ts';
import { infoOf } from './log.ts';
import type { Recovered, RecoverOptions } from './recover.ts';
import { defaultRecordLimit } from './record.ts';
import { type Found, type SearchOptions, searchSessions } from './search.ts';
import { Session } from './session.ts';
import { StoreError } from './store-error.ts';

export type StoreOptions = {
  readonly environment: Environment;
  /** How long a session stays with a writer that shows no sign of life (default: 30000). */
  readonly leaseMs?: number;
  /** Maximum bytes of one record (default: 64 MB). */
  readonly recordLimit?: number;
};

export type ListOptions = Omit<ListQuery, 'archived'> & { readonly archived?: boolean | 'any' };

const usualLeaseMs = 30_000;
/** How many times `close` waits for work that arrived while it was waiting. */
const mostRounds = 3;
/** The longest timer of Node. */
const longestMs = 2 ** 31 - 1;

/** Refuses a lease that ends at once and a limit that limits nothing. */
function checkLimits(leaseMs: number, recordLimit: number): void {
  if (!(typeof leaseMs === 'number' && leaseMs >= 1 && leaseMs <= longestMs)) {
    throw new StoreError('unsupported', `leaseMs must be a number from 1 to ${longestMs}, not ${String(leaseMs)}`);
  }
  if (!(typeof recordLimit === 'number' && recordLimit >= 1)) {
    throw new StoreError('unsupported', `recordLimit must be a number of bytes, not ${String(recordLimit)}`);
  }
}

/** An open store of sessions. */
export class Store {
  readonly url: string;
  readonly durability: Durability;
  readonly #context: Context;

  constructor(driver: Driver, options: StoreOptions) {
    const { environment, leaseMs = usualLeaseMs, recordLimit = defaultRecordLimit } = options;
    checkLimits(leaseMs, recordLimit);
    this.url = driver.url;
    this.durability = driver.durability;
    const owner = environment.owner();
    this.#context = { driver, environment, owner, leaseMs, recordLimit, writers: new Map(), recoveries: new Map() };
  }

  async create(options: CreateOptions = {}): Promise<Session> {
    return new Session(await createSession(this.#context, options), this.#context);
  }

  /** Returns a handle of an existing session; rejects with `missing` otherwise. */
  async session(id: string): Promise<Session> {
    checkId(id);
    await infoOf(this.#context.driver, id);
    return new Session(id, this.#context);
  }

  /** Lists sessions without reading their logs (default: without archived ones). */
  async *list(options: ListOptions = {}): AsyncGenerator<SessionInfo> {
    checkOptions(options);
    const { archived = false, after, ...query } = options;
    checkWord('archived', archived, [true, false, 'any']);
    for (const name of ['after', 'parent', 'forkOf'] as const) checkText(name, options[name]);
    checkLimit('limit', query.limit);
    // No session has an empty id, so an empty `after` means the beginning in every order.
    const behind = after === undefined || after === '' ? {} : { after };
    yield* this.#context.driver.list({ ...query, ...behind, ...(archived === 'any' ? {} : { archived }) });
  }

  /** Finds records that contain every query word, or words that start with them. */
  search(text: string, options: SearchOptions = {}): AsyncGenerator<Found> {
    return searchSessions(this.#context.driver, text, options);
  }

  /** Imports an exported session byte for byte, or imports nothing. */
  async import(source: ByteSource, options: ImportOptions = {}): Promise<Imported> {
    return importSession(this.#context, source, options);
  }

  /** Returns the history of a session, sendable for a target, and notes each repair in its log. */
  async recoverSession(session: string, target?: TargetInput, options: RecoverOptions = {}): Promise<Recovered> {
    checkId(session);
    return new Session(session, this.#context).recover(target, options);
  }

  /** Waits for pending writes, releases all leases and closes the place. */
  async close(): Promise<void> {
    const { driver, writers } = this.#context;
    // A session used in the meantime has its lease again. Endless users are cut off after a few rounds.
    for (let rounds = 0; rounds < mostRounds && writers.size > 0; rounds += 1) {
      await Promise.allSettled([...writers.values()].map((writer) => writer.release()));
    }
    await driver.close();
  }
}
