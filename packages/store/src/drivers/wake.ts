import type { Environment } from '../environment.ts';

/** Wakes those who wait for a session to grow, at the latest after a while: a wake-up may be lost, a record may not. */
export type Wake = {
  readonly ring: (session: string) => void;
  /** Resolves when the session may have grown, after `ms`, or when the signal aborts. */
  readonly wait: (session: string, ms: number, signal: AbortSignal) => Promise<void>;
  readonly awaited: () => number;
};

export function createWake(environment: Environment): Wake {
  const waiting = new Map<string, Set<() => void>>();
  const ring = (session: string): void => {
    const bells = waiting.get(session);
    waiting.delete(session);
    for (const bell of bells ?? []) bell();
  };
  return {
    ring,
    awaited: () => waiting.size,
    wait: (session, ms, signal) =>
      new Promise((resolve) => {
        const bells = waiting.get(session) ?? new Set();
        const end = (): void => {
          cancel();
          bells.delete(end);
          if (bells.size === 0 && waiting.get(session) === bells) waiting.delete(session);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const cancel = environment.after(ms, end);
        waiting.set(session, bells.add(end));
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
  };
}
