/** One event for debugging, without secrets and without whole messages. */
export type LogLine = {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  /** A short hyphenated name: `request`, `response`, `history-repaired`, … */
  readonly event: string;
  readonly session?: string;
  readonly [detail: string]: unknown;
};

/** Receives every line. Its errors are ignored. */
export type Logger = (line: LogLine) => void;
