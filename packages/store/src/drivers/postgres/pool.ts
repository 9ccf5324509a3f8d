import { StoreError } from '../../store-error.ts';
import { closed } from '../../refusals.ts';
import { keepAlive } from '../waiting.ts';
import { connect, type Connecting, type Connection, type Rows, type Statement } from './client.ts';
import { failure, isAnswer, isPassing } from './failure.ts';

/** How long an operation waits for an unreachable server. */
const patienceMs = 30_000;

type Borrower = {
  readonly take: (connection: Connection | undefined) => void;
  readonly fail: (error: unknown) => void;
};

/** A few connections, lent in the order of requests. */
export class Pool {
  readonly #connecting: Connecting;
  readonly #most: number;
  readonly #idle: Connection[] = [];
  readonly #waiting: Borrower[] = [];
  readonly #all = new Set<Connection>();
  #count = 0;
  #closed = false;

  constructor(connecting: Connecting, most: number) {
    this.#connecting = connecting;
    this.#most = most;
  }

  /** Lends a connection for one attempt and passes errors on unchanged. */
  async lend<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#borrow();
    connection.hold(true);
    try {
      const value = await work(connection);
      this.#giveBack(connection);
      return value;
    } catch (error) {
      // The connection is still usable after our own refusals and server errors.
      if (error instanceof StoreError || isAnswer(error)) this.#giveBack(connection);
      else this.#discard(connection);
      throw error;
    }
  }

  run(statement: Statement): Promise<Rows> {
    return this.persist((connection) => connection.run(statement));
  }

  close(): void {
    this.#closed = true;
    const error = closed(this.#connecting.url);
    for (const { fail } of this.#waiting.splice(0)) fail(error);
    for (const connection of this.#all) connection.end();
    this.#all.clear();
  }

  /** Retries until success, a permanent error, or a timeout. `work` must be safe to repeat. */
  async persist<T>(work: (connection: Connection) => Promise<T>, withinMs: number = patienceMs): Promise<T> {
    const { environment, url } = this.#connecting;
    const until = environment.elapsed() + withinMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.lend(work);
      } catch (error) {
        if (this.#closed) throw closed(url);
        if (!isPassing(error) || environment.elapsed() >= until) throw failure(error, url);
      }
      // A varied pause, so that failed operations do not return all at once.
      const pauseMs = Math.min(5 * 2 ** Math.min(attempt, 8), 500) * (1 + (this.#waiting.length % 7) / 7);
      await keepAlive(new Promise<void>((resolve) => void environment.after(pauseMs, resolve)));
    }
  }

  async #borrow(): Promise<Connection> {
    if (this.#closed) throw closed(this.#connecting.url);
    const idle = this.#takeIdle();
    if (idle !== undefined) return idle;
    if (this.#count < this.#most) return this.#open();
    const given = await new Promise<Connection | undefined>((take, fail) => this.#waiting.push({ take, fail }));
    return given ?? (await this.#borrow());
  }

  #takeIdle(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (!idle.broken()) return idle;
      this.#discard(idle);
    }
    return undefined;
  }

  async #open(): Promise<Connection> {
    this.#count += 1;
    try {
      const connection = await connect(this.#connecting);
      if (this.#closed) {
        connection.end();
        throw closed(this.#connecting.url);
      }
      this.#all.add(connection);
      return connection;
    } catch (error) {
      this.#count -= 1;
      this.#waiting.shift()?.take(undefined);
      throw error;
    }
  }

  #giveBack(connection: Connection): void {
    if (connection.broken()) return this.#discard(connection);
    const next = this.#waiting.shift();
    if (next !== undefined) return next.take(connection);
    connection.hold(false);
    this.#idle.push(connection);
  }

  #discard(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    this.#count -= 1;
    connection.end();
    this.#waiting.shift()?.take(undefined);
  }
}
