import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { Help } from './help.tsx';
import { useKeys } from './keys.ts';
import { Palette, type Command } from './palette.tsx';
import { go, sessionHash, TABS, useRoute, type Route } from './route.ts';
import { RulePanel } from './rule-panel.tsx';
import { SearchView } from './search-view.tsx';
import { SessionView } from './session-view.tsx';
import { SessionsView } from './sessions-view.tsx';
import { useSessions, type Sessions } from './sessions.ts';
import type { Source } from './source.ts';
import { useTheme } from './theme.ts';
import { WorldContext, type World } from './world.tsx';

type Open = 'help' | 'palette' | { readonly rule: string } | undefined;

const SHOWN_MS = 5000;

export function App({ source, first }: { readonly source: Source; readonly first: string | undefined }): VNode {
  const [open, setOpen] = useState<Open>();
  const [said, setSaid] = useState('');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const say = useCallback((sentence: string): void => {
    setSaid(sentence);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(''), SHOWN_MS);
  }, []);
  const world = useMemo((): World => ({ source, say, showRule: (rule) => setOpen({ rule }) }), [source]);
  return (
    <WorldContext.Provider value={world}>
      <Page open={open} setOpen={setOpen} first={first} />
      <p class={`said${said === '' ? '' : ' said-shown'}`} role="status">
        {said}
      </p>
    </WorldContext.Provider>
  );
}

type PageProps = { readonly open: Open; readonly setOpen: (open: Open) => void; readonly first: string | undefined };

function Page({ open, setOpen, first }: PageProps): VNode {
  const found = useRoute();
  const route =
    first === undefined || found.view === 'session' ? found : { ...found, view: 'session' as const, key: first };
  const { theme, toggle } = useTheme();
  const sessions = useSessions(route.view !== 'session');
  const close = (): void => setOpen(undefined);
  useKeys({
    '?': () => setOpen('help'),
    'Ctrl+k': () => setOpen('palette'),
    T: toggle,
    'g s': () => go('#/'),
    'g f': () => go('#/search'),
  });
  useEffect(() => {
    document.title = route.view === 'session' ? 'Session, rethread' : 'Sessions, rethread';
  }, [route.view]);
  return (
    <>
      <TopBar route={route} theme={theme} toggle={toggle} isAlone={first !== undefined} setOpen={setOpen} />
      <View route={route} theme={theme} sessions={sessions} />
      {open === 'help' && <Help close={close} />}
      {open === 'palette' && (
        <Palette sessions={sessions} route={route} commands={commandsFor(route, { toggle, setOpen })} close={close} />
      )}
      {typeof open === 'object' && <RulePanel id={open.rule} close={close} />}
    </>
  );
}

function View({
  route,
  theme,
  sessions,
}: {
  readonly route: Route;
  readonly theme: string;
  readonly sessions: Sessions;
}): VNode {
  if (route.view === 'session') return <SessionView key={route.key} route={route} theme={theme} />;
  if (route.view === 'search') return <SearchView sessions={sessions} words={route.query['q'] ?? ''} />;
  return <SessionsView sessions={sessions} query={route.query} />;
}

type TopBarProps = {
  readonly route: Route;
  readonly theme: string;
  readonly toggle: () => void;
  readonly isAlone: boolean;
  readonly setOpen: (open: Open) => void;
};

function TopBar({ route, theme, toggle, isAlone, setOpen }: TopBarProps): VNode {
  return (
    <header class="top">
      <a class="logo" href={isAlone ? location.hash : '#/'}>
        rethread
      </a>
      {!isAlone && (
        <nav aria-label="Main">
          <a href="#/" aria-current={route.view === 'sessions' ? 'page' : undefined}>
            Sessions
          </a>
          <a href="#/search" aria-current={route.view === 'search' ? 'page' : undefined}>
            Search
          </a>
        </nav>
      )}
      <span class="top-tools">
        <button type="button" class="palette-button" onClick={() => setOpen('palette')}>
          Commands <kbd>Ctrl K</kbd>
        </button>
        <button type="button" onClick={toggle} aria-label={theme === 'dark' ? 'Light theme' : 'Dark theme'}>
          {theme === 'dark' ? 'Light' : 'Dark'}
        </button>
        <button type="button" onClick={() => setOpen('help')} aria-label="Help with keys">
          ?
        </button>
      </span>
    </header>
  );
}

type Doing = { readonly toggle: () => void; readonly setOpen: (open: Open) => void };

function commandsFor(route: Route, { toggle, setOpen }: Doing): Command[] {
  const tabs = route.view === 'session' ? TABS : [];
  return [
    ...tabs.map((tab) => ({
      name: `Go to the ${tab}`,
      hint: 'this session',
      run: () => go(sessionHash(route.key, tab)),
    })),
    { name: 'Go to the sessions', hint: 'g s', run: () => go('#/') },
    { name: 'Search in all sessions', hint: 'g f', run: () => go('#/search') },
    { name: 'Show sessions that are refused', hint: '', run: () => go('#/?verdict=refused') },
    { name: 'Group sessions by project', hint: '', run: () => go('#/?group=project') },
    { name: 'Change between light and dark', hint: 'T', run: toggle },
    { name: 'Print', hint: '', run: () => print() },
    { name: 'Show all keys', hint: '?', run: () => setOpen('help') },
  ];
}
