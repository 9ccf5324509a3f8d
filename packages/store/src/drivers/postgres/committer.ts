import { createHash } from 'node:crypto';

import type { Appended, Batch } from '../../driver.ts';
import { StoreError } from '../../store-error.ts';
import { closed, missing, moved, stale } from '../../refusals.ts';
import { ownerOf } from '../sql/session-row.ts';
import type { Connection } from './client.ts';
import { isTaken } from './failure.ts';
import { keyOf, type Place } from './place.ts';
import type { Pool } from './pool.ts';
import { createWrites, type End, fenceOf, type Group } from './statement.ts';

/** While this many statements are running, further batches wait and are written together. */
const mostInFlight = 2;
/** Limits of sessions and bytes per statement; the first session always fits. */
const mostSessions = 512;
const mostBytes = 4 * 1024 * 1024;

type Waiting = {
  readonly batch: Batch;
  readonly size: number;
  readonly resolve: (head: Appended) => void;
  readonly reject: (error: StoreError) => void;
};

/** The pending batches of one session. Only one statement per session runs at a time, which keeps their order. */
type Line = { readonly key: string; waiting: Waiting[]; busy: boolean };

type Taken = {
  readonly line: Line;
  readonly waiting: readonly Waiting[];
  readonly chain: number;
  /** Whether an earlier attempt got no response, so the batch may already be stored. */
  readonly doubtful: boolean;
};

type Committed = {
  readonly written: ReadonlySet<string>;
  readonly ends: ReadonlyMap<string, End>;
  readonly doubtful: boolean;
};

const sizeOf = ({ entries }: Batch): number => entries.reduce((sum, { bytes }) => sum + bytes.length, 0);

const lastSeq = ({ entries, expect }: Batch): number => entries.at(-1)?.seq ?? expect;

/** The longest run of consecutive batches under one lease. */
function chainable(waiting: readonly Waiting[]): readonly Waiting[] {
  if (waiting.length === 1) return waiting;
  let size = 0;
  const end = waiting.findIndex((one, index) => {
    const before = waiting[index - 1]?.batch;
    size += one.size;
    if (before === undefined) return false;
    return size > mostBytes || one.batch.expect !== lastSeq(before) || one.batch.lease.epoch !== before.lease.epoch;
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

const groupOf = ({ line, waiting, chain }: Taken): Group => ({
  key: line.key,
  chain,
  batches: waiting.map(({ batch }) => batch),
});

/** Writes batches of one event-loop turn together; batches of one session keep their order. */
export class Committer {
  readonly #pool: Pool;
  readonly #place: Place;
  readonly #grown: (session: string) => void;
  readonly #writeOf: ReturnType<typeof createWrites>;
  readonly #lines = new Map<string, Line>();
  readonly #known = new Map<string, End>();
  readonly #ready: Line[] = [];
  #inFlight = 0;
  #scheduled = false;
  #closed = false;
  readonly #idle: (() => void)[] = [];

  constructor(pool: Pool, place: Place, grown: (session: string) => void) {
    this.#pool = pool;
    this.#place = place;
    this.#grown = grown;
    this.#writeOf = createWrites(place.schema);
  }

  know(session: string, known: End): void {
    this.#known.set(keyOf(session), known);
  }

  forget(session: string): void {
    this.#known.delete(keyOf(session));
  }

  /** How many sessions have a known newest record. */
  get known(): number {
    return this.#known.size;
  }

  append(batch: Batch): Promise<Appended> {
    if (this.#closed) return Promise.reject(closed(this.#place.url));
    return new Promise((resolve, reject) => {
      const { key } = fenceOf(batch.lease);
      const line = this.#lines.get(key) ?? { key, waiting: [], busy: false };
      this.#lines.set(key, line);
      line.waiting.push({ batch, size: sizeOf(batch), resolve, reject });
      if (line.waiting.length === 1 && !line.busy) this.#ready.push(line);
      this.#schedule();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#lines.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Batches of one turn of the event loop share a statement. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    const flush = (): void => {
      this.#scheduled = false;
      while (this.#inFlight < mostInFlight && this.#ready.length > 0) void this.#send(this.#take());
    };
    // A single writer has nobody to wait for.
    if (this.#lines.size === 1) queueMicrotask(flush);
    else setImmediate(flush);
  }

  #take(): Line[] {
    let size = 0;
    const count = this.#ready.slice(0, mostSessions).findIndex(({ waiting }, index) => {
      size += waiting.reduce((sum, one) => sum + one.size, 0);
      return index > 0 && size > mostBytes;
    });
    return this.#ready.splice(0, count === -1 ? mostSessions : count);
  }

  async #send(lines: readonly Line[]): Promise<void> {
    this.#inFlight += 1;
    const [together, alone]: [Taken[], Taken[]] = [[], []];
    for (const line of lines) {
      const waiting = chainable(line.waiting);
      line.waiting = waiting === line.waiting ? [] : line.waiting.slice(waiting.length);
      line.busy = true;
      const known = this.#known.get(line.key);
      const fits = known !== undefined && known.seq === waiting[0]?.batch.expect;
      (fits ? together : alone).push({ line, waiting, chain: known?.chain ?? 0, doubtful: false });
    }
    const left = await this.#writeTogether(together);
    this.#inFlight -= 1;
    this.#schedule();
    await Promise.all([...alone, ...left].map((taken) => this.#writeAlone(taken)));
  }

  /** Writes everything in one statement and returns what was not written. */
  async #writeTogether(taken: readonly Taken[]): Promise<readonly Taken[]> {
    if (taken.length === 0) return [];
    try {
      const { written, ends, doubtful } = await this.#commit(taken.map(groupOf));
      for (const one of taken) if (written.has(one.line.key)) this.#acknowledge(one, ends.get(one.line.key));
      return taken.filter(({ line }) => !written.has(line.key)).map((one) => ({ ...one, doubtful }));
    } catch (error) {
      if (error instanceof StoreError && isTaken(error.cause)) return taken.map((one) => ({ ...one, doubtful: true }));
      for (const one of taken) this.#refuse(one, error as StoreError);
      return [];
    }
  }

  /** Repeats the statement until the server responds. Stored rows are not written twice. */
  async #commit(groups: readonly Group[]): Promise<Committed> {
    const { run, ends } = this.#writeOf(groups);
    let attempts = 0;
    const written = await this.#pool.persist((connection) => {
      attempts += 1;
      return run(connection);
    });
    return { written, ends, doubtful: attempts > 1 || written.size < groups.length };
  }

  #acknowledge({ line, waiting }: Taken, end: End | undefined): void {
    if (end !== undefined) this.#known.set(line.key, end);
    for (const { batch, resolve } of waiting) resolve({ seq: lastSeq(batch), epoch: batch.lease.epoch });
    this.#finish(line, waiting[0]?.batch.lease.session ?? '');
  }

  #refuse({ line, waiting }: Taken, error: StoreError): void {
    for (const { reject } of waiting) reject(error);
    this.#finish(line, '');
  }

  #finish(line: Line, grown: string): void {
    line.busy = false;
    if (line.waiting.length > 0) this.#ready.push(line);
    else this.#lines.delete(line.key);
    if (grown !== '') this.#grown(grown);
    if (this.#ready.length > 0) this.#schedule();
    if (this.#lines.size === 0) for (const idle of this.#idle.splice(0)) idle();
  }

  /** Writes batches one by one, each with its own error. */
  async #writeAlone({ line, waiting, doubtful }: Taken): Promise<void> {
    let grown = '';
    for (const { batch, resolve, reject } of waiting) {
      try {
        resolve(await this.#writeOne(line.key, batch, doubtful));
        grown = batch.lease.session;
      } catch (error) {
        // The cached head was wrong, and a lost lease will not use it again.
        this.#known.delete(line.key);
        reject(error as StoreError);
      }
    }
    this.#finish(line, grown);
  }

  async #writeOne(key: string, batch: Batch, before: boolean): Promise<Appended> {
    let doubtful = before;
    for (let taken = 0; ;) {
      const looked = { key, batch, doubtful };
      const found = await this.#pool.persist((connection) => look(connection, this.#place.schema, looked));
      if (found.kind === 'written') return found.head;
      try {
        const committed = await this.#commit([{ key, chain: found.chain, batches: [batch] }]);
        doubtful ||= committed.doubtful;
        const end = committed.ends.get(key);
        if (end === undefined || !committed.written.has(key)) continue;
        this.#known.set(key, end);
        return { seq: end.seq, epoch: batch.lease.epoch };
      } catch (error) {
        // Either the same op was stored after the check, so the next check finds it, or a foreign record is in the way.
        if (!(error instanceof StoreError && isTaken(error.cause)) || taken > 2) throw error;
        doubtful = true;
        taken += 1;
      }
    }
  }
}

type Found = { readonly kind: 'written'; readonly head: Appended } | { readonly kind: 'free'; readonly chain: number };

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Whether exactly these bytes are already stored: an attempt without a response wrote them. */
async function isThere(connection: Connection, schema: string, { key, batch }: Looked): Promise<boolean> {
  const { entries, expect } = batch;
  const rows = await connection.run({
    text: `select seq, encode(sha256(body), 'hex') as digest from ${schema}.records
      where session = $1 and seq > $2::bigint and seq <= $3::bigint order by seq`,
    values: [key, expect, lastSeq(batch)],
  });
  return (
    rows.length === entries.length &&
    rows.every((row, index) => {
      const entry = entries[index];
      return entry !== undefined && Number(row['seq']) === entry.seq && row['digest'] === digest(entry.bytes);
    })
  );
}

type Looked = { readonly key: string; readonly batch: Batch; readonly doubtful: boolean };

/** Checks whether a batch is stored already, may be written, or must be refused, in the promised order. */
async function look(connection: Connection, schema: string, looked: Looked): Promise<Found> {
  const { key, batch, doubtful } = looked;
  const { lease, op, expect } = batch;
  const [row] = await connection.run({
    text: `select seq, chain, epoch, holder, owner,
        (select head from ${schema}.ops where session = $1 and op = $2) as "done"
      from ${schema}.sessions where key = $1`,
    values: [key, op === undefined ? null : keyOf(op)],
  });
  if (row === undefined) throw missing(lease.session);
  const [head, epoch] = [Number(row['seq']), Number(row['epoch'])];
  if (row['done'] !== null) return { kind: 'written', head: { seq: Number(row['done']), epoch, again: true } };
  if (doubtful && head !== expect && (await isThere(connection, schema, looked)))
    return { kind: 'written', head: { seq: lastSeq(batch), epoch: lease.epoch } };
  const owner = ownerOf(row['owner']);
  const held = epoch === lease.epoch && String(row['holder']).replaceAll('-', '') === keyOf(lease.owner.id);
  if (!held) throw stale(lease.session, { head, owner });
  if (head !== expect) throw moved(lease.session, { head, expected: expect });
  return { kind: 'free', chain: Number(row['chain']) };
}
