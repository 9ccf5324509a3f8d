type Say = (message: string) => void;

/** Who is told what was cleaned: a function, or an object with any of these methods. */
export type CleanupLogger =
  | Say
  | {
      readonly logSystemMessage?: Say;
      readonly lifecycle?: Say;
      readonly info?: Say;
      readonly warn?: Say;
    };

const USUAL = ['logSystemMessage', 'lifecycle', 'info', 'warn'] as const;
const URGENT = ['warn', ...USUAL] as const;
const MOST_LINES = 20;

/** Says one thing to whichever method the logger has. A logger that fails must not cost anyone a session. */
export function tell(logger: CleanupLogger | undefined, message: string, urgency: 'usual' | 'urgent' = 'usual'): void {
  if (logger === undefined) return;
  try {
    if (typeof logger === 'function') return logger(message);
    const method = (urgency === 'urgent' ? URGENT : USUAL).find((name) => typeof logger[name] === 'function');
    if (method !== undefined) logger[method]?.(message);
  } catch {
    // The cleaned history is worth more than the note about it.
  }
}

/** What was cleaned and why, then how to go on. */
export function describeCleanup(notes: readonly string[], next: string): string {
  const shown = notes.slice(0, MOST_LINES);
  const rest = notes.length - shown.length;
  const more = rest > 0 ? [`and ${String(rest)} more changes like these`] : [];
  return `Cleaned the message history: ${[...shown, ...more].join('; ')}. ${next}`;
}
