import type { TargetInput } from '@rethread/core';

import { checkLimit, checkOptions, checkText, checkWord } from './arguments.ts';
import { type Context, type CreateOptions, checkId, createSession } from './context.ts';
import { type Driver, type Durability, type ListQuery, type SessionInfo } from './driver.ts';
import type { Environment } from './environment.ts';
import { type ImportOptions, type Imported, importSession } from './import.ts';
import type { ByteSource } from './lines.ts';
import { infoOf } from './log.ts';
import { type Recovered, type RecoverOptions, recoverSession } from './recover.ts';
import { defaultRecordLimit } from './record.ts';
import { type Found, type SearchOptions, searchSessions } from './search.ts';
import { Session } from './session.ts';
import { StoreError } from './store-error.ts';

export type StoreOptions = {
  readonly environment: Environment;
  /** How long a session stays with a writer that gives no sign of life. */
  readonly leaseMs?: number;
  /** The most bytes of one record. */
  readonly recordLimit?: number;
};

export type ListOptions = Omit<ListQuery, 'archived'> & { readonly archived?: boolean | 'any' };

const usualLeaseMs = 30_000;
/** How often a store that is being closed waits for what it was given since. */
const mostRounds = 3;
/** No timer waits longer. */
const longestMs = 2 ** 31 - 1;

/** A lease that ends at once keeps nobody out, and a limit that is no number limits nothing. */
function checkLimits(leaseMs: number, recordLimit: number): void {
  if (!(typeof leaseMs === 'number' && leaseMs >= 1 && leaseMs <= longestMs)) {
    throw new StoreError('unsupported', `leaseMs is a number from 1 to ${longestMs}, not ${String(leaseMs)}`);
  }
  if (!(typeof recordLimit === 'number' && recordLimit >= 1)) {
    throw new StoreError('unsupported', `recordLimit is a number of bytes, not ${String(recordLimit)}`);
  }
}

/** A place that holds sessions. */
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

  /** A session that is there; `missing` otherwise. */
  async session(id: string): Promise<Session> {
    checkId(id);
    await infoOf(this.#context.driver, id);
    return new Session(id, this.#context);
  }

  /** What is known of the sessions without reading their logs. Archived ones are told when they are asked for. */
  async *list(options: ListOptions = {}): AsyncGenerator<SessionInfo> {
    checkOptions(options);
    const { archived = false, after, ...query } = options;
    checkWord('archived', archived, [true, false, 'any']);
    for (const name of ['after', 'parent', 'forkOf'] as const) checkText(name, options[name]);
    checkLimit('limit', query.limit);
    // No session has an empty id: it stands for the beginning, also where the order is not that of the ids.
    const behind = after === undefined || after === '' ? {} : { after };
    yield* this.#context.driver.list({ ...query, ...behind, ...(archived === 'any' ? {} : { archived }) });
  }

  /** Records that have all the words of a text, or words that begin with them. */
  search(text: string, options: SearchOptions = {}): AsyncGenerator<Found> {
    return searchSessions(this.#context.driver, text, options);
  }

  /** Makes a session from an export, byte for byte, or nothing at all. */
  async import(source: ByteSource, options: ImportOptions = {}): Promise<Imported> {
    return importSession(this.#context, source, options);
  }

  /** The history of a session, made sendable for a target, with everything that was repaired noted in its log. */
  async recoverSession(session: string, target?: TargetInput, options: RecoverOptions = {}): Promise<Recovered> {
    checkId(session);
    checkOptions(options);
    checkWord('audit', options.audit, ['append', 'never']);
    return recoverSession(this.#context, { session, target, options });
  }

  /** Waits for what is under way, gives all leases back and lets go of the place. */
  async close(): Promise<void> {
    const { driver, writers } = this.#context;
    // Whoever was given something in the meantime has taken its lease again; whoever never stops is cut off.
    for (let rounds = 0; rounds < mostRounds && writers.size > 0; rounds += 1) {
      await Promise.allSettled([...writers.values()].map((writer) => writer.release()));
    }
    await driver.close();
  }
}
