import type { Session, StoredRecord } from '@rethread/store';

/** What running a tool twice means; see `durableTool`. */
export type Effect = 'read' | 'idempotent' | 'keyed' | 'once';

/** A recorded tool call. Without `settled` nobody knows how far it came. */
export type LedgerCall = {
  /** The record of its start. */
  readonly seq: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly key: string;
  readonly effect: string;
  /** Names the run that started the call first. */
  readonly run: string;
  readonly settled?: { readonly output: unknown } | { readonly error: string };
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * The tool calls that the log of a session records. Other records never take a call back: what has run, has run, even
 * if the history was reverted.
 */
export class CallLedger {
  readonly #session: Session;
  readonly #calls = new Map<string, LedgerCall>();
  #after = 0;
  #reading: Promise<void> = Promise.resolve();

  constructor(session: Session) {
    this.#session = session;
  }

  /** The calls in the order of their starts. */
  async calls(): Promise<readonly LedgerCall[]> {
    await this.#read();
    return [...this.#calls.values()];
  }

  async find(callId: string): Promise<LedgerCall | undefined> {
    await this.#read();
    return this.#calls.get(callId);
  }

  /** Reads the records that are new since the last time. */
  async #read(): Promise<void> {
    const before = this.#reading;
    const read = async (): Promise<void> => {
      await before.catch(() => undefined);
      for await (const record of this.#session.read({ after: this.#after })) {
        this.#note(record);
        this.#after = record.seq;
      }
    };
    this.#reading = read();
    await this.#reading;
  }

  #note({ seq, kind, data }: StoredRecord): void {
    const { callId, tool, input, key, effect, run, error, output } = fieldsOf(data);
    if (typeof callId !== 'string') return;
    const known = this.#calls.get(callId);
    if (kind === 'call.started' && known === undefined) {
      const texts = { tool: textOf(tool), key: textOf(key), effect: textOf(effect), run: textOf(run) };
      this.#calls.set(callId, { seq, callId, input, ...texts });
    }
    if (kind !== 'call.settled' || known === undefined || known.settled !== undefined) return;
    this.#calls.set(callId, { ...known, settled: typeof error === 'string' ? { error } : { output } });
  }
}
