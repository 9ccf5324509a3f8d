import type { ComponentChild, RefObject, VNode } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Overview } from '../api.ts';
import { useKeys } from './keys.ts';
import { Minimap } from './minimap.tsx';
import { amend, sessionHash } from './route.ts';
import { RowKinds } from './row-kinds.ts';
import { Row } from './row.tsx';
import { useRows, type RowsCache } from './rows-cache.ts';
import { VirtualList } from './virtual-list.tsx';
import { plural } from './words.ts';
import { useWorld } from './world.tsx';

type Props = {
  readonly overview: Overview;
  /** The record that the address names. */
  readonly entry: number | undefined;
  readonly theme: string;
  readonly isLive: boolean;
};

/** Everything that happened in a session, one row after the other. */
export function Timeline({ overview, entry, theme, isLive }: Props): VNode {
  const kinds = useMemo(() => new RowKinds(overview.kinds), [overview.kinds]);
  const list = useRef<VirtualList>(null);
  const [isUnfolded, setUnfolded] = useState(false);
  const [seen, setSeen] = useState<readonly [number, number]>([0, 1]);
  const rows = useRows(overview.key, `${overview.key} ${overview.entries} ${overview.rows}`);
  const cursor = useCursor({ overview, entry, list, rows });
  useTimelineKeys({ overview, kinds, cursor, rows });
  useKeys({ o: () => setUnfolded((before) => !before) });
  const onRange = useCallback(
    (from: number, to: number): void => {
      rows.want(from, to);
      setSeen((before) => (before[0] === from && before[1] === to ? before : [from, to]));
    },
    [overview.key],
  );
  if (overview.rows === 0) {
    return <p class="empty">This session has no records. There is nothing to show and nothing to send.</p>;
  }
  const row = (index: number): ComponentChild => {
    const view = rows.row(index);
    if (view === undefined) return <Waiting height={kinds.height(index, innerWidth)} />;
    const shared = { view, session: overview.key, findings: overview.findings, isUnfolded, go: cursor.goTo };
    return <Row {...shared} isCurrent={index === cursor.current} />;
  };
  const pick = (event: MouseEvent): void => {
    const picked = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    if (picked instanceof HTMLElement) cursor.pick(Number(picked.dataset['row']));
  };
  return (
    <div class="timeline" onClick={pick}>
      <VirtualList
        handle={list}
        count={overview.rows}
        version={overview.key}
        label={`Timeline, ${plural(overview.rows, 'row')}`}
        estimate={(index) => kinds.height(index, innerWidth)}
        row={row}
        onRange={onRange}
        isFollowing={isLive}
      />
      <Minimap
        kinds={kinds}
        findings={overview.findings}
        marks={overview.marks}
        window={seen}
        theme={theme}
        go={cursor.goTo}
      />
    </div>
  );
}

/** The room of a row that is on its way. */
const Waiting = ({ height }: { readonly height: number }): VNode => (
  <div class="row row-waiting" style={{ height: `${height}px` }} />
);

/** The row that keys move, and that the address names. */
type Cursor = {
  /** -1 before any row was picked. */
  readonly current: number;
  /** The same, also for a key that comes before the page is drawn again. */
  readonly now: () => number;
  readonly first: () => number;
  readonly pick: (row: number) => void;
  /** Picks a row and shows it at the top. */
  readonly goTo: (row: number) => void;
  /** Picks a row, and moves the list only if it cannot be seen. */
  readonly move: (row: number | undefined) => void;
};

type Held = Pick<Props, 'overview' | 'entry'> & {
  readonly list: RefObject<VirtualList | null>;
  readonly rows: RowsCache;
};

function useCursor({ overview, entry, list, rows }: Held): Cursor {
  const { source } = useWorld();
  const [current, draw] = useState(-1);
  const latest = useRef(-1);
  const setCurrent = (row: number): void => {
    latest.current = row;
    draw(row);
  };
  // The address follows the row that is picked; only an address that came from elsewhere moves the list.
  const named = useRef<number>(undefined);
  const within = (row: number): number => Math.max(0, Math.min(row, overview.rows - 1));
  const goTo = useCallback(
    (row: number): void => {
      setCurrent(within(row));
      list.current?.scrollTo(within(row));
    },
    [overview.rows],
  );
  useEffect(() => {
    if (entry === undefined || entry === named.current) return;
    named.current = entry;
    void source.row(overview.key, entry).then(goTo);
  }, [overview.key, entry]);
  const picked = current === -1 ? undefined : rows.row(current)?.entry;
  useEffect(() => {
    const isInRow = named.current !== undefined && rows.row(current)?.said.some((said) => said.entry === named.current);
    if (picked === undefined || picked === named.current || isInRow === true) return;
    named.current = picked;
    amend({ e: String(picked) });
  }, [picked]);
  const move = (row: number | undefined): void => {
    if (row === undefined) return;
    setCurrent(within(row));
    list.current?.reveal(within(row));
  };
  return { current, now: () => latest.current, first: () => list.current?.first ?? 0, pick: setCurrent, goTo, move };
}

type Keyed = Pick<Props, 'overview'> & {
  readonly kinds: RowKinds;
  readonly cursor: Cursor;
  readonly rows: RowsCache;
};

function useTimelineKeys({ overview, kinds, cursor, rows }: Keyed): void {
  const { say } = useWorld();
  const { now, move, goTo } = cursor;
  const start = (): number => (now() === -1 ? cursor.first() - 1 : now());
  const finding = (direction: 1 | -1): void => {
    const found = nextFinding(overview, start(), direction);
    if (found !== undefined) goTo(found);
    else say(overview.findings.length === 0 ? 'Nothing is wrong here.' : 'No further finding.');
  };
  const next = (): void => move(start() + 1);
  const previous = (): void => move(now() - 1);
  useKeys({
    j: next,
    ArrowDown: next,
    k: previous,
    ArrowUp: previous,
    J: () => move(kinds.turn(start(), 1)),
    K: () => move(kinds.turn(now(), -1)),
    n: () => finding(1),
    p: () => finding(-1),
    'g g': () => goTo(0),
    G: () => goTo(overview.rows - 1),
    Enter: () => unfold(now()),
    y: () => void copyLink(overview.key, rows.row(now())?.entry, say),
  });
}

function nextFinding({ findings }: Overview, from: number, direction: 1 | -1): number | undefined {
  const rows = findings.flatMap(({ row }) => row ?? []).sort((a, b) => a - b);
  return direction === 1 ? rows.find((row) => row > from) : rows.findLast((row) => row < from);
}

/** Unfolds or folds everything in a row. */
function unfold(row: number): void {
  const all = document.querySelectorAll<HTMLDetailsElement>(`[data-row="${row}"] details`);
  const isOpen = [...all].some(({ open }) => open);
  for (const details of all) details.open = !isOpen;
}

async function copyLink(key: string, entry: number | undefined, say: (sentence: string) => void): Promise<void> {
  const hash = sessionHash(key, 'timeline', entry === undefined ? {} : { e: String(entry) });
  const link = new URL(hash, location.href).href;
  await navigator.clipboard.writeText(link).then(
    () => say('The link is copied. It works while this page is served.'),
    () => say(link),
  );
}
