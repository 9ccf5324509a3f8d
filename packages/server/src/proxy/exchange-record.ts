import type { Ending, ExchangeEntry } from './exchange-log.ts';
import { redactor } from './redact.ts';
import type { Answer } from './lane.ts';
import type { Judgement } from './mend.ts';
import type { RawHeaders } from './headers.ts';

/** What is known of a request before anything was done with it. */
export type Arrived = {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly upstream: string | undefined;
  readonly headers: RawHeaders;
};

const mostFindings = 20;
const longestText = 500;
const longestPath = 200;

/** Writes down what happens in one exchange; says it once, when the exchange is over. */
export class ExchangeRecord {
  readonly #arrived: Arrived;
  readonly #at = new Date();
  readonly #started = performance.now();
  readonly #onEnd: (entry: Omit<ExchangeEntry, 'id'>) => void;
  readonly #redact: (text: string) => string;
  #facts: Partial<ExchangeEntry> = {};
  #ending: Ending = 'passed';
  #requestBytes = 0;
  #answerBytes = 0;
  #judgingMs = 0;
  #isClosed = false;

  constructor(arrived: Arrived, onEnd: (entry: Omit<ExchangeEntry, 'id'>) => void) {
    this.#arrived = arrived;
    this.#onEnd = onEnd;
    this.#redact = redactor(arrived.headers, arrived.target);
  }

  requestBytes(bytes: number): void {
    this.#requestBytes += bytes;
  }

  answerBytes(bytes: number): void {
    this.#answerBytes += bytes;
  }

  judging(ms: number): void {
    this.#judgingMs += ms;
  }

  judged({ dialect, model, verdict, findings, repairs }: Judgement): void {
    const found = findings
      .slice(0, mostFindings)
      .map(({ rule, severity, at }) => ({ rule, severity, pointer: at.pointer }));
    this.#facts = { ...this.#facts, dialect, verdict };
    if (model !== undefined) this.#facts = { ...this.#facts, model: this.#short(model) };
    if (found.length > 0) this.#facts = { ...this.#facts, findings: found };
    if (repairs.length > 0) this.#repaired('repaired', repairs);
  }

  refused(text: string): void {
    this.#facts = { ...this.#facts, refusal: this.#short(text) };
  }

  mended({ repairs }: Judgement): void {
    this.#repaired('repaired-after-refusal', repairs);
  }

  #repaired(ending: Ending, repairs: Judgement['repairs']): void {
    const made = repairs.slice(0, mostFindings);
    this.#ending = ending;
    this.#facts = {
      ...this.#facts,
      repairs: made.map(({ rule, action, loss, at }) => ({ rule, action, loss, pointer: at.pointer })),
    };
  }

  answered({ status }: Answer): void {
    this.#facts = { ...this.#facts, status };
  }

  head(): void {
    this.#facts = { ...this.#facts, firstByteMs: round(performance.now() - this.#started) };
  }

  turnedAway(status: number, message: string): void {
    this.#ending = 'turned-away';
    this.#facts = { ...this.#facts, status, reason: message };
  }

  failed(error: unknown, isAborted: boolean): void {
    this.#ending = isAborted ? 'aborted' : 'failed';
    if (isAborted) return;
    this.#facts = { ...this.#facts, reason: this.#short(error instanceof Error ? error.message : String(error)) };
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { method, target, upstream } = this.#arrived;
    const [path = ''] = target.split('?', 1);
    this.#onEnd({
      at: this.#at.toISOString(),
      method,
      path: this.#redact(path).slice(0, longestPath),
      ...(upstream !== undefined && { upstream }),
      ending: this.#ending,
      ...this.#facts,
      requestBytes: this.#requestBytes,
      answerBytes: this.#answerBytes,
      judgingMs: round(this.#judgingMs),
      totalMs: round(performance.now() - this.#started),
    });
  }

  #short(text: string): string {
    return this.#redact(text).slice(0, longestText);
  }
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
