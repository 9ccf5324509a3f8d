import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { HitView } from '../api.ts';
import { nameOf } from './arrange.ts';
import { useKeys } from './keys.ts';
import { amend, go, sessionHash } from './route.ts';
import type { Sessions } from './sessions.ts';
import { ageWords, plural, toolName } from './words.ts';
import { useWorld } from './world.tsx';

type Props = { readonly sessions: Sessions; readonly words: string };

/** While somebody types, a search waits for this long. */
const WAIT_MS = 250;
const MOST_HITS = 500;

/** Finds words in everything that was said in any session. */
export function SearchView({ sessions, words }: Props): VNode {
  const { source, say } = useWorld();
  const field = useRef<HTMLInputElement>(null);
  const [hits, setHits] = useState<readonly HitView[]>([]);
  const [progress, setProgress] = useState({ done: 0, of: 0 });
  useKeys({
    '/': () => field.current?.focus(),
    Escape: () => (document.activeElement === field.current ? field.current?.blur() : go('#/')),
  });
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    setHits([]);
    setProgress({ done: 0, of: 0 });
    if (words.trim().length < 2 || !sessions.isComplete) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const add = (found: { hits: readonly HitView[]; done: number; of: number }): void => {
        setHits((before) => [...before, ...found.hits].slice(0, MOST_HITS));
        setProgress({ done: found.done, of: found.of });
      };
      source.search(words, add, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) say(error instanceof Error ? error.message : 'The search failed.');
      });
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [words, sessions.isComplete]);
  return (
    <main class="search">
      <h1 class="visually-hidden">Search</h1>
      <div class="controls">
        <input
          ref={field}
          type="search"
          class="filter"
          placeholder="Search everything that was said"
          aria-label="Search everything that was said"
          value={words}
          onInput={(event) => amend({ q: event.currentTarget.value })}
        />
        <p class="note" role="status">
          {statusOf(words, progress, hits.length)}
        </p>
      </div>
      <div class="hits">
        {Array.from(
          Map.groupBy(hits, ({ key }) => key),
          ([key, found]) => (
            <Hits key={key} sessions={sessions} session={key} hits={found} />
          ),
        )}
        {words.trim().length < 2 && (
          <p class="empty">Type two letters or more. The search reads every session on this machine.</p>
        )}
      </div>
    </main>
  );
}

function statusOf(words: string, { done, of }: { readonly done: number; readonly of: number }, hits: number): string {
  if (words.trim().length < 2) return '';
  if (of === 0) return 'Searching';
  const found = hits === 0 ? 'Nothing found' : plural(hits, 'hit');
  return done < of ? `${found}, ${done} of ${of} sessions searched` : `${found} in ${plural(of, 'session')}`;
}

function Hits({
  sessions,
  session,
  hits,
}: {
  readonly sessions: Sessions;
  readonly session: string;
  readonly hits: readonly HitView[];
}): VNode {
  const row = sessions.rows.find(({ key }) => key === session);
  return (
    <section class="card hit-group">
      <h2>
        {row === undefined ? session : nameOf(row)}{' '}
        <span class="note">{row !== undefined && `${toolName(row.tool)}, ${ageWords(row.modified)}`}</span>
      </h2>
      <ul class="plain">
        {hits.map(({ entry, role, before, hit, after }, at) => (
          <li key={at}>
            <a href={sessionHash(session, 'timeline', { e: String(entry) })}>
              <span class="badge">{role}</span> {before}
              <mark>{hit}</mark>
              {after}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
