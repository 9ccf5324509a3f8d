import { useEffect, useRef, useState } from 'preact/hooks';

import type { SessionRow, Summary } from '../api.ts';
import { useWorld } from './world.tsx';

export type Sessions = {
  readonly rows: readonly SessionRow[];
  readonly summaries: ReadonlyMap<string, Summary>;
  readonly isComplete: boolean;
  readonly failed: string | undefined;
  /** Sessions that somebody looks at are read before the others. */
  readonly want: (keys: readonly string[]) => void;
};

type ListState = Pick<Sessions, 'rows' | 'isComplete' | 'failed'>;

/** The page draws what has come, but not more often than this. */
const DRAW_MS = 100;
const AT_ONCE = 12;

/**
 * Every session, as it is found; then what is wrong with each, read in the background while the list is looked at. A
 * session that is open has the machine to itself.
 */
export function useSessions(isShown: boolean): Sessions {
  const { source } = useWorld();
  const found = useRef(new Map<string, SessionRow>());
  const summaries = useRef(new Map<string, Summary>());
  const wanted = useRef<readonly string[]>([]);
  const [state, setState] = useState<ListState>({ rows: [], isComplete: false, failed: undefined });
  const [read, setRead] = useState<ReadonlyMap<string, Summary>>(new Map());

  useEffect(() => {
    let isThere = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = (): void => {
      timer = undefined;
      if (isThere) setState((before) => ({ ...before, rows: [...found.current.values()] }));
    };
    const add = (rows: readonly SessionRow[]): void => {
      for (const row of rows) found.current.set(row.key, row);
      timer ??= setTimeout(draw, DRAW_MS);
    };
    const list = async (): Promise<void> => {
      await source.sessions(add);
      if (isThere) setState({ rows: [...found.current.values()], isComplete: true, failed: undefined });
    };
    list().catch((error: unknown) => {
      const failed = error instanceof Error ? error.message : 'The sessions cannot be listed.';
      if (isThere) setState((before) => ({ ...before, failed }));
    });
    return () => {
      isThere = false;
      clearTimeout(timer);
    };
  }, []);

  useEffect(() => {
    const stop = new AbortController();
    const readAll = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const keys = nextKeys(found.current, summaries.current, wanted.current);
        if (keys.length === 0) return;
        for (const summary of await source.summaries(keys)) summaries.current.set(summary.key, summary);
        // A session that was not answered for is not asked for again.
        for (const key of keys) if (!summaries.current.has(key)) found.current.delete(key);
        setRead(new Map(summaries.current));
      }
    };
    // The list itself says when the server is gone.
    if (isShown && state.isComplete) readAll().catch(() => undefined);
    return () => stop.abort();
  }, [isShown, state.isComplete]);

  const want = (keys: readonly string[]): void => {
    wanted.current = keys;
  };
  return { ...state, summaries: read, want };
}

function nextKeys(
  found: ReadonlyMap<string, SessionRow>,
  read: ReadonlyMap<string, Summary>,
  wanted: readonly string[],
): string[] {
  const keys: string[] = [];
  for (const list of [wanted, found.keys()]) {
    for (const key of list) {
      if (!read.has(key) && found.has(key) && !keys.includes(key)) keys.push(key);
      if (keys.length === AT_ONCE) return keys;
    }
  }
  return keys;
}
