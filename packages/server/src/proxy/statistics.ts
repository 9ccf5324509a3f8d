import type { Ending, ExchangeEntry } from './exchange-log.ts';

/** What a proxy has done since it started. */
export type Statistics = {
  readonly since: string;
  readonly open: number;
  readonly connections: number;
  readonly exchanges: number;
  readonly endings: Readonly<Partial<Record<Ending, number>>>;
  readonly dialects: Readonly<Record<string, number>>;
  readonly statuses: Readonly<Record<string, number>>;
  /** How often each rule was the reason for a repair. */
  readonly repairs: Readonly<Record<string, number>>;
  /** How often each rule was found, repaired or not. */
  readonly findings: Readonly<Record<string, number>>;
  readonly requestBytes: number;
  readonly answerBytes: number;
  readonly judgingMs: number;
};

type Counted = 'endings' | 'dialects' | 'statuses' | 'repairs' | 'findings';

/** Counts exchanges. Its size is bounded: nothing that a client writes becomes a name here. */
export class Counters {
  readonly #since = new Date().toISOString();
  readonly #counts: Record<Counted, Map<string, number>> = {
    endings: new Map(),
    dialects: new Map(),
    statuses: new Map(),
    repairs: new Map(),
    findings: new Map(),
  };
  #exchanges = 0;
  #requestBytes = 0;
  #answerBytes = 0;
  #judgingMs = 0;

  add({ ending, dialect, status, repairs = [], findings = [], ...entry }: Omit<ExchangeEntry, 'id'>): void {
    this.#exchanges += 1;
    this.#requestBytes += entry.requestBytes;
    this.#answerBytes += entry.answerBytes;
    this.#judgingMs += entry.judgingMs;
    this.#count('endings', ending);
    if (dialect !== undefined) this.#count('dialects', dialect);
    if (status !== undefined) this.#count('statuses', String(status));
    for (const { rule } of repairs) this.#count('repairs', rule);
    for (const { rule } of findings) this.#count('findings', rule);
  }

  #count(what: Counted, name: string): void {
    const counts = this.#counts[what];
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }

  read(open: number, connections: number): Statistics {
    const { endings, dialects, statuses, repairs, findings } = this.#counts;
    return {
      since: this.#since,
      open,
      connections,
      exchanges: this.#exchanges,
      endings: Object.fromEntries(endings),
      dialects: Object.fromEntries(dialects),
      statuses: Object.fromEntries(statuses),
      repairs: Object.fromEntries(repairs),
      findings: Object.fromEntries(findings),
      requestBytes: this.#requestBytes,
      answerBytes: this.#answerBytes,
      judgingMs: this.#judgingMs,
    };
  }
}

/** Statistics in the text format of Prometheus. */
export function toPrometheus(statistics: Statistics): string {
  const { exchanges, open, connections, requestBytes, answerBytes, judgingMs } = statistics;
  const labelled = (name: string, label: string, counts: Readonly<Record<string, number>>): string[] =>
    Object.entries(counts).map(([value, count]) => `${name}{${label}="${value}"} ${count}`);
  const family = (name: string, kind: 'counter' | 'gauge', lines: readonly string[]): string[] => [
    `# TYPE ${name} ${kind}`,
    ...lines,
  ];
  const single = (name: string, kind: 'counter' | 'gauge', value: number): string[] =>
    family(name, kind, [`${name} ${value}`]);
  const lines = [
    ...single('rethread_proxy_exchanges_total', 'counter', exchanges),
    ...single('rethread_proxy_open_exchanges', 'gauge', open),
    ...single('rethread_proxy_connections', 'gauge', connections),
    ...single('rethread_proxy_request_bytes_total', 'counter', requestBytes),
    ...single('rethread_proxy_answer_bytes_total', 'counter', answerBytes),
    ...single('rethread_proxy_judging_seconds_total', 'counter', judgingMs / 1000),
    ...family(
      'rethread_proxy_endings_total',
      'counter',
      labelled('rethread_proxy_endings_total', 'ending', statistics.endings),
    ),
    ...family(
      'rethread_proxy_dialects_total',
      'counter',
      labelled('rethread_proxy_dialects_total', 'dialect', statistics.dialects),
    ),
    ...family(
      'rethread_proxy_answers_total',
      'counter',
      labelled('rethread_proxy_answers_total', 'status', statistics.statuses),
    ),
    ...family(
      'rethread_proxy_repairs_total',
      'counter',
      labelled('rethread_proxy_repairs_total', 'rule', statistics.repairs),
    ),
    ...family(
      'rethread_proxy_findings_total',
      'counter',
      labelled('rethread_proxy_findings_total', 'rule', statistics.findings),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
