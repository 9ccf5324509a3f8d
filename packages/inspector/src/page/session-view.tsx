import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { Overview } from '../api.ts';
import { Charts } from './charts.tsx';
import { Details } from './details.tsx';
import { useKeys } from './keys.ts';
import { RequestTab } from './request-view.tsx';
import { go, sessionHash, TABS, type Route, type Tab } from './route.ts';
import { Sidebar } from './sidebar.tsx';
import { Timeline } from './timeline.tsx';
import { VerdictBadge } from './verdict-badge.tsx';
import { bytesWords, projectWords, timeWords, toolName } from './words.ts';
import { useWorld } from './world.tsx';

const TAB_NAMES: Readonly<Record<Tab, string>> = {
  timeline: 'Timeline',
  request: 'Next request',
  charts: 'Charts',
  details: 'Details',
};

type Loaded =
  | { readonly state: 'loading'; readonly share: number }
  | { readonly state: 'failed'; readonly sentence: string }
  | { readonly state: 'loaded'; readonly overview: Overview };

/** Reads a session, and reads it again whenever it has changed. */
function useOverview(key: string): { readonly loaded: Loaded; readonly isLive: boolean } {
  const { source, say } = useWorld();
  const [loaded, setLoaded] = useState<Loaded>({ state: 'loading', share: 0 });
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const stop = new AbortController();
    const load = async (isFirst: boolean): Promise<void> => {
      const progress = (share: number): void => {
        if (isFirst && !stop.signal.aborted) setLoaded({ state: 'loading', share });
      };
      const overview = await source.overview(key, progress);
      if (!stop.signal.aborted) setLoaded({ state: 'loaded', overview });
    };
    const fail = (error: unknown): void => {
      if (!stop.signal.aborted)
        setLoaded({ state: 'failed', sentence: error instanceof Error ? error.message : 'This failed.' });
    };
    // A session that changes while it is read is read once more afterwards.
    let state: 'idle' | 'reading' | 'stale' = 'idle';
    const changed = async (): Promise<void> => {
      setLive(true);
      if (state !== 'idle') {
        state = 'stale';
        return;
      }
      do {
        state = 'reading';
        await load(false).catch(fail);
      } while (isStale());
      state = 'idle';
    };
    const isStale = (): boolean => state === 'stale';
    setLoaded({ state: 'loading', share: 0 });
    setLive(false);
    const readAndFollow = async (): Promise<void> => {
      await load(true);
      await source
        .follow(key, () => void changed(), stop.signal)
        .catch(() => {
          if (!stop.signal.aborted) say('The server of this page has stopped. What you see is what was read last.');
        });
    };
    readAndFollow().catch(fail);
    return () => stop.abort();
  }, [key]);
  return { loaded, isLive };
}

export function SessionView({ route, theme }: { readonly route: Route; readonly theme: string }): VNode {
  const { loaded, isLive } = useOverview(route.key);
  const { source } = useWorld();
  const show = (tab: Tab): void => go(sessionHash(route.key, tab));
  useKeys({
    'g t': () => show('timeline'),
    'g r': () => show('request'),
    'g c': () => show('charts'),
    'g d': () => show('details'),
    Escape: source.isStatic ? undefined : () => go('#/'),
  });
  if (loaded.state === 'failed') {
    return (
      <main class="session">
        <p class="empty" role="alert">
          {loaded.sentence}
        </p>
      </main>
    );
  }
  if (loaded.state === 'loading') return <Waiting share={loaded.share} />;
  const { overview } = loaded;
  return (
    <main class="session">
      <Header overview={overview} isLive={isLive} />
      <nav class="tabs" aria-label="Views of this session">
        {TABS.map((tab) => (
          <a key={tab} href={sessionHash(route.key, tab)} aria-current={tab === route.tab ? 'page' : undefined}>
            {TAB_NAMES[tab]}
          </a>
        ))}
      </nav>
      <div class={`session-body session-${route.tab}`} tabIndex={route.tab === 'timeline' ? undefined : 0}>
        <SessionTab overview={overview} route={route} theme={theme} isLive={isLive} />
      </div>
    </main>
  );
}

type TabProps = {
  readonly overview: Overview;
  readonly route: Route;
  readonly theme: string;
  readonly isLive: boolean;
};

function SessionTab({ overview, route, theme, isLive }: TabProps): VNode {
  const { e } = route.query;
  if (route.tab === 'request') return <RequestTab overview={overview} query={route.query} />;
  if (route.tab === 'charts') return <Charts overview={overview} theme={theme} />;
  if (route.tab === 'details') return <Details overview={overview} />;
  return (
    <>
      <Timeline overview={overview} entry={e === undefined ? undefined : Number(e)} theme={theme} isLive={isLive} />
      <Sidebar overview={overview} />
    </>
  );
}

function Header({ overview, isLive }: { readonly overview: Overview; readonly isLive: boolean }): VNode {
  const { title, tool, cwd, bytes, updated, models, model } = overview;
  return (
    <header class="session-head">
      <h1>{title ?? 'Untitled session'}</h1>
      <p class="session-facts">
        <VerdictBadge verdict={overview.verdict} />
        {isLive && <span class="badge badge-live">Live</span>}
        <span>{toolName(tool ?? 'unknown tool')}</span>
        <span title={cwd}>{projectWords(cwd)}</span>
        <span>{model ?? models.at(-1)}</span>
        <span>{bytesWords(bytes)}</span>
        <span>{timeWords(updated)}</span>
      </p>
    </header>
  );
}

function Waiting({ share }: { readonly share: number }): VNode {
  return (
    <main class="session">
      <div class="waiting" role="status">
        <progress max={1} value={share > 0 ? Math.min(1, share) : undefined} aria-label="Reading the session" />
        <p>Reading the session{share > 0 ? `, ${Math.round(Math.min(1, share) * 100)} %` : ''}</p>
      </div>
    </main>
  );
}
