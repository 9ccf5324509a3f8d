import type { ComponentChild, VNode } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';

import { VERDICTS, type Summary, type Verdict } from '../api.ts';
import { arrange, GROUPS, nameOf, type Arrangement, type Item } from './arrange.ts';
import { useKeys } from './keys.ts';
import { amend, go, sessionHash, type Route } from './route.ts';
import type { Sessions } from './sessions.ts';
import { SurvivalBar } from './sidebar.tsx';
import { VerdictBadge } from './verdict-badge.tsx';
import { VirtualList } from './virtual-list.tsx';
import {
  ageWords,
  bytesWords,
  countWords,
  plural,
  projectWords,
  shareWords,
  timeWords,
  toolName,
  VERDICT_WORDS,
} from './words.ts';

type Props = { readonly sessions: Sessions; readonly query: Route['query'] };

const arrangementIn = (query: Route['query']): Arrangement => ({
  words: query['q'] ?? '',
  verdict: query['verdict'] ?? '',
  group: query['group'] ?? 'none',
  sort: query['sort'] ?? 'activity',
  withAgents: query['agents'] === 'shown',
});

/** Every session on this machine. */
export function SessionsView({ sessions, query }: Props): VNode {
  const arrangement = arrangementIn(query);
  const { words, verdict, group, sort, withAgents } = arrangement;
  const items = useMemo(
    () => arrange(sessions, arrangement),
    [sessions.rows, sessions.summaries, words, verdict, group, sort, withAgents],
  );
  const list = useRef<VirtualList>(null);
  const filter = useRef<HTMLInputElement>(null);
  const [current, setCurrent] = useState(-1);
  // A key may come before the page is drawn again.
  const latest = useRef(-1);
  const move = (direction: 1 | -1): void => {
    const next = step(items, latest.current, direction);
    latest.current = next;
    setCurrent(next);
    list.current?.reveal(next);
  };
  const open = (): void => {
    const item = items[latest.current];
    if (item?.kind === 'session') go(sessionHash(item.row.key));
  };
  useKeys({
    j: () => move(1),
    ArrowDown: () => move(1),
    k: () => move(-1),
    ArrowUp: () => move(-1),
    Enter: open,
    '/': () => filter.current?.focus(),
    'g g': () => list.current?.scrollTo(0),
    G: () => list.current?.scrollTo(items.length - 1),
    Escape: () => leave(filter.current),
  });
  const onRange = useCallback(
    (from: number, to: number): void => {
      sessions.want(items.slice(from, to).flatMap((item) => (item.kind === 'session' ? [item.row.key] : [])));
    },
    [items],
  );
  return (
    <main class="sessions">
      <h1 class="visually-hidden">Sessions</h1>
      <Controls sessions={sessions} arrangement={arrangement} filter={filter} />
      <ColumnHeads sort={sort} />
      {items.length === 0 ? (
        <NoSessions sessions={sessions} arrangement={arrangement} />
      ) : (
        <VirtualList
          handle={list}
          count={items.length}
          version={`${words} ${verdict} ${group} ${sort} ${withAgents}`}
          label={`Sessions, ${items.length}`}
          estimate={(index) => (items[index]?.kind === 'group' ? 36 : 48)}
          row={(index) => itemRow(items[index], index === current)}
          onRange={onRange}
        />
      )}
    </main>
  );
}

function step(items: readonly Item[], from: number, direction: 1 | -1): number {
  for (let at = from + direction; at >= 0 && at < items.length; at += direction) {
    if (items[at]?.kind === 'session') return at;
  }
  return from;
}

/** Escape first leaves the filter, then empties it. */
function leave(filter: HTMLInputElement | null): void {
  if (document.activeElement === filter && filter !== null) filter.blur();
  else amend({ q: undefined, verdict: undefined });
}

function itemRow(item: Item | undefined, isCurrent: boolean): ComponentChild {
  if (item === undefined) return null;
  if (item.kind === 'group') {
    return (
      <h2 class="group">
        {item.name} <span class="number">{item.count}</span>
      </h2>
    );
  }
  return <SessionLine item={item} isCurrent={isCurrent} />;
}

function SessionLine({
  item,
  isCurrent,
}: {
  readonly item: Item & { kind: 'session' };
  readonly isCurrent: boolean;
}): VNode {
  const { row, summary } = item;
  const { key, tool, cwd, modified, bytes } = row;
  return (
    <a
      class={`session-line${isCurrent ? ' row-current' : ''}`}
      href={sessionHash(key)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span class="cell-verdict">
        {summary === undefined ? (
          <span class="badge badge-unread">Reading</span>
        ) : (
          <VerdictBadge verdict={summary.verdict} />
        )}
      </span>
      <span class="cell-title">
        <span class="title">{nameOf(row)}</span>
        <span class="note project" title={cwd}>
          {projectWords(cwd) || row.file}
        </span>
      </span>
      <span class="cell-tool">{toolName(tool)}</span>
      <Figures summary={summary} />
      <span class="cell-size number">{bytesWords(bytes)}</span>
      <time class="cell-age number" title={timeWords(modified)}>
        {ageWords(modified)}
      </time>
    </a>
  );
}

function Figures({ summary }: { readonly summary: Summary | undefined }): VNode {
  const survival = summary?.survival;
  return (
    <>
      <span class="cell-survival number" title="Share of the text that the next request contains">
        {survival !== undefined && (
          <>
            {shareWords(survival)} <SurvivalBar share={survival} />
          </>
        )}
      </span>
      <span class="cell-turns number">{summary?.turns}</span>
      <span class="cell-tokens number">{summary === undefined ? '' : countWords(summary.tokens)}</span>
    </>
  );
}

const COLUMNS = [
  ['verdict', 'Verdict', 'What would happen to the next request'],
  ['title', 'Session', ''],
  ['tool', 'Tool', ''],
  ['survival', 'Sent', 'Share of the text that the next request contains'],
  ['turns', 'Turns', 'Turns in the next request'],
  ['tokens', 'Tokens', 'Estimated tokens of the next request'],
  ['size', 'Size', ''],
  ['activity', 'Active', 'Time since the last change'],
] as const;

function ColumnHeads({ sort }: { readonly sort: string }): VNode {
  return (
    <div class="session-line column-heads" role="toolbar" aria-label="Sort by">
      {COLUMNS.map(([id, name, hint]) =>
        id === 'tool' ? (
          <span key={id} class="cell-tool">
            {name}
          </span>
        ) : (
          <button
            key={id}
            type="button"
            title={hint}
            class={`cell-${id === 'activity' ? 'age' : id}`}
            aria-pressed={sort === id}
            onClick={() => amend({ sort: id === 'activity' ? undefined : id })}
          >
            {name}
            {sort === id && <span aria-hidden="true"> ↓</span>}
          </button>
        ),
      )}
    </div>
  );
}

type ControlsProps = {
  readonly sessions: Sessions;
  readonly arrangement: Arrangement;
  readonly filter: { current: HTMLInputElement | null };
};

function Controls({ sessions, arrangement, filter }: ControlsProps): VNode {
  const { words, group } = arrangement;
  const left = sessions.rows.length - sessions.summaries.size;
  return (
    <div class="controls">
      <input
        ref={filter}
        type="search"
        class="filter"
        placeholder="Filter by title, project, tool or id"
        aria-label="Filter sessions"
        value={words}
        onInput={(event) => amend({ q: event.currentTarget.value })}
      />
      <VerdictChips sessions={sessions} arrangement={arrangement} />
      <label class="group-by">
        Group by
        <select
          value={group}
          onChange={(event) =>
            amend({ group: event.currentTarget.value === 'none' ? undefined : event.currentTarget.value })
          }
        >
          {GROUPS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <p class="note reading" role="status">
        {!sessions.isComplete ? 'Finding sessions' : left > 0 ? `Reading ${plural(left, 'session')}` : ''}
      </p>
    </div>
  );
}

type ChipsProps = { readonly sessions: Sessions; readonly arrangement: Arrangement };

function VerdictChips({ sessions, arrangement }: ChipsProps): VNode {
  const { verdict: chosen, withAgents } = arrangement;
  const agents = sessions.rows.filter(({ isSubagent }) => isSubagent === true);
  const counted = withAgents ? sessions.rows : sessions.rows.filter(({ isSubagent }) => isSubagent !== true);
  const counts = new Map<Verdict, number>();
  for (const { key } of counted) {
    const verdict = sessions.summaries.get(key)?.verdict;
    if (verdict !== undefined) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  }
  const shown = VERDICTS.filter((verdict) => counts.has(verdict) || verdict === chosen);
  return (
    <div class="chips" role="group" aria-label="Filter by verdict">
      <button type="button" aria-pressed={chosen === ''} onClick={() => amend({ verdict: undefined })}>
        All <span class="number">{counted.length}</span>
      </button>
      {shown.map((verdict) => (
        <button
          key={verdict}
          type="button"
          class={`chip-${verdict}`}
          aria-pressed={chosen === verdict}
          onClick={() => amend({ verdict: chosen === verdict ? undefined : verdict })}
        >
          {VERDICT_WORDS[verdict].name} <span class="number">{counts.get(verdict) ?? 0}</span>
        </button>
      ))}
      {agents.length > 0 && (
        <button
          type="button"
          aria-pressed={withAgents}
          onClick={() => amend({ agents: withAgents ? undefined : 'shown' })}
        >
          Subagents <span class="number">{agents.length}</span>
        </button>
      )}
    </div>
  );
}

function NoSessions({
  sessions,
  arrangement,
}: {
  readonly sessions: Sessions;
  readonly arrangement: Arrangement;
}): VNode {
  if (sessions.failed !== undefined) {
    return (
      <p class="empty" role="alert">
        {sessions.failed}
      </p>
    );
  }
  if (!sessions.isComplete) return <p class="empty">Looking for sessions</p>;
  if (sessions.rows.length === 0) {
    return (
      <div class="empty">
        <p>No coding agent has left a session on this machine yet.</p>
        <p>To look at a session from elsewhere, run:</p>
        <pre>rethread inspect path/to/session.jsonl</pre>
      </div>
    );
  }
  return (
    <div class="empty">
      <p>
        No session fits {arrangement.words === '' ? 'this filter' : `“${arrangement.words}”`}
        {arrangement.verdict === '' ? '' : ` among those that are ${arrangement.verdict}`}.
      </p>
      <p>
        <button type="button" onClick={() => amend({ q: undefined, verdict: undefined })}>
          Show all sessions
        </button>{' '}
        <a href={`#/search?q=${encodeURIComponent(arrangement.words)}`}>Search inside of the sessions</a>
      </p>
    </div>
  );
}
