import type { Session } from '@rethread/store';

import { CheckpointLog, type CheckpointRecord, type NewCheckpoint, type NewWrites } from './checkpoint-log.ts';

const KIND = 'langgraph';

/** Something to store: its encoding begins at once, because LangGraph may change the values later. */
type Change = { readonly put: () => Promise<NewCheckpoint> } | { readonly writes: () => Promise<NewWrites> };

type Waiting = {
  readonly ns: string;
  readonly change: Promise<{ readonly put: NewCheckpoint } | { readonly writes: NewWrites }>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
};

/** The session of one LangGraph thread. Changes are stored in the order in which they are added. */
export class CheckpointThread {
  readonly session: Session;
  readonly log: CheckpointLog = new CheckpointLog();
  #after = 0;
  #waiting: Waiting[] = [];
  #working: Promise<void> = Promise.resolve();
  #scheduled = false;

  constructor(session: Session) {
    this.session = session;
  }

  /** Resolves when the change is stored. */
  add(ns: string, change: Change): Promise<void> {
    return new Promise((resolve, reject) => {
      const encoded =
        'put' in change ? change.put().then((put) => ({ put })) : change.writes().then((writes) => ({ writes }));
      // The failure is reported when the change is stored.
      encoded.catch(() => undefined);
      this.#waiting.push({ ns, change: encoded, resolve, reject });
      this.#schedule();
    });
  }

  /** Writes and the checkpoint they lead to arrive within one turn of the event loop, and share one append. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.flush().catch(() => undefined);
    });
  }

  /** Stores everything that was added so far. */
  flush(): Promise<void> {
    const work = async (): Promise<void> => {
      const some = this.#waiting;
      this.#waiting = [];
      try {
        await this.#refresh();
        await this.#store(some);
        for (const { resolve } of some) resolve();
      } catch (error) {
        for (const { reject } of some) reject(error);
        throw error;
      }
    };
    this.#working = this.#working.catch(() => undefined).then(() => (this.#waiting.length === 0 ? undefined : work()));
    return this.#working;
  }

  /** Reads what others have written since. */
  async refresh(): Promise<void> {
    await this.flush();
    await this.#refresh();
  }

  async #refresh(): Promise<void> {
    for await (const { seq, kind, data } of this.session.read({ after: this.#after })) {
      if (kind === KIND) this.log.apply(data as CheckpointRecord);
      this.#after = seq;
    }
  }

  async #store(some: readonly Waiting[]): Promise<void> {
    let pending: { readonly ns: string; readonly writes: NewWrites[] } | undefined;
    const write = async (ns: string, put?: NewCheckpoint): Promise<void> => {
      const writes = pending?.writes ?? [];
      pending = undefined;
      if (writes.length > 0 || put !== undefined) await this.#append(this.log.toRecord(ns, writes, put));
    };
    for (const { ns, change } of some) {
      const made = await change;
      if (
        pending !== undefined &&
        (pending.ns !== ns || ('writes' in made && pending.writes[0]?.of !== made.writes.of))
      ) {
        await write(pending.ns);
      }
      if ('put' in made) await write(ns, made.put);
      else pending = { ns, writes: [...(pending?.writes ?? []), made.writes] };
    }
    if (pending !== undefined) await write(pending.ns);
  }

  async #append(record: CheckpointRecord): Promise<void> {
    const { seq } = await this.session.append({ kind: KIND, data: record });
    if (seq !== this.#after + 1) return this.#refresh();
    this.log.apply(JSON.parse(JSON.stringify(record)) as CheckpointRecord);
    this.#after = seq;
  }
}
