import type { Codec } from '../model/codec.ts';
import { readSafely } from '../model/read-safely.ts';

/** Whoever is told may say so later; nobody waits for that. */
type Say = (message: string) => unknown;

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
export function tell(
  logger: CleanupLogger | null | undefined,
  message: string,
  urgency: 'usual' | 'urgent' = 'usual',
): void {
  if (logger === undefined || logger === null) return;
  quietly(() => {
    if (typeof logger === 'function') return logger(message);
    const method = (urgency === 'urgent' ? URGENT : USUAL).find((name) => typeof logger[name] === 'function');
    return method === undefined ? undefined : logger[method]?.(message);
  });
}

/** Calls somebody who listens; whatever fails there, now or later, is worth less than the cleaned history. */
export function quietly(call: () => unknown): void {
  try {
    Promise.resolve(call()).catch(() => undefined);
  } catch {
    // Nothing else depends on the listener.
  }
}

/** What was cleaned and why, then how to go on. */
export function describeCleanup(notes: readonly string[], next: string): string {
  const shown = notes.slice(0, MOST_LINES);
  const rest = notes.length - shown.length;
  const more = rest > 0 ? [`and ${String(rest)} more changes like these`] : [];
  return `Cleaned the message history: ${[...shown, ...more].join('; ')}. ${next}`;
}

/** Tells the words of system messages that had to leave a list, because whoever holds it has to send them elsewhere. */
export function tellLifted(lifted: readonly unknown[], codec: Codec, logger: CleanupLogger | undefined): void {
  const words = lifted.flatMap((wire) =>
    readSafely(codec, wire, 0).parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
  );
  const next = 'Send this in the system field of the request:';
  tell(logger, `System messages cannot stand in the list: ${String(lifted.length)}. ${next} ${words.join('\n')}`);
}
