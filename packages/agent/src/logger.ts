/** One thing that happened, for people who look for the cause of a problem. It holds no key and no whole message. */
export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** What happened, as a few words joined by hyphens: `request`, `response`, `history-repaired`, … */
  readonly event: string;
  readonly session?: string;
  readonly [detail: string]: unknown;
};

/** Takes every line; what it throws is ignored. */
export type Logger = (line: LogLine) => void;
