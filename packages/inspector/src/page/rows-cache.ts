import { useEffect, useRef, useState } from 'preact/hooks';

import type { RowView } from '../api.ts';
import { useWorld } from './world.tsx';

const PAGE = 50;

/** Pages of rows further away than this are forgotten. */
const MOST_PAGES = 40;

/** While somebody scrolls fast, rows that are gone in a moment are not asked for. */
const WAIT_MS = 40;

export type RowsCache = {
  readonly row: (index: number) => RowView | undefined;
  readonly want: (from: number, to: number) => void;
};

/** The rows of a session around the window, asked for a page at a time. */
export function useRows(key: string, version: string): RowsCache {
  const { source, say } = useWorld();
  const [, setRevision] = useState(0);
  const pages = useRef(new Map<number, readonly RowView[] | 'asked'>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const generation = useRef(0);

  useEffect(() => {
    generation.current += 1;
    const stale = pages.current;
    pages.current = new Map([...stale].filter((page): page is [number, readonly RowView[]] => page[1] !== 'asked'));
    // What is shown stays until it has come again.
    for (const page of pages.current.keys()) load(page);
    return () => clearTimeout(timer.current);
  }, [key, version]);

  const load = (page: number): void => {
    const mine = generation.current;
    if (!pages.current.has(page)) pages.current.set(page, 'asked');
    const fill = async (): Promise<void> => {
      const rows = await source.rows(key, page * PAGE, (page + 1) * PAGE);
      if (mine !== generation.current) return;
      pages.current.set(page, rows);
      setRevision((revision) => revision + 1);
    };
    fill().catch((error: unknown) => {
      pages.current.delete(page);
      say(error instanceof Error ? error.message : 'The rows cannot be read.');
    });
  };

  const want = (from: number, to: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const [first, last] = [Math.floor(from / PAGE), Math.floor(Math.max(from, to - 1) / PAGE)];
      for (let page = first; page <= last; page += 1) if (!pages.current.has(page)) load(page);
      for (const page of pages.current.keys()) {
        if (pages.current.size <= MOST_PAGES) break;
        if (page < first - 2 || page > last + 2) pages.current.delete(page);
      }
    }, WAIT_MS);
  };

  const row = (index: number): RowView | undefined => {
    const page = pages.current.get(Math.floor(index / PAGE));
    return page === undefined || page === 'asked' ? undefined : page[index % PAGE];
  };
  return { row, want };
}
