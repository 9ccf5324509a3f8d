import { useEffect, useState } from 'preact/hooks';

/** What the address says: which view, and how it is set. Everything that can be shared is in it. */
export type Route = {
  readonly view: 'sessions' | 'search' | 'session';
  readonly key: string;
  readonly tab: Tab;
  readonly query: Readonly<Record<string, string>>;
};

export const TABS = ['timeline', 'request', 'charts', 'details'] as const;
export type Tab = (typeof TABS)[number];

/** Reads the part of an address after `#`. */
export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#/, '').split('?');
  const [, view, key = '', tab] = path.split('/');
  const query = Object.fromEntries(new URLSearchParams(search));
  const known = TABS.find((each) => each === tab) ?? 'timeline';
  if (view === 's' && key !== '') return { view: 'session', key, tab: known, query };
  return { view: view === 'search' ? 'search' : 'sessions', key: '', tab: 'timeline', query };
}

export function routeHash({ view, key, tab, query }: Route): string {
  const path = view === 'session' ? `/s/${key}/${tab}` : view === 'search' ? '/search' : '/';
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
  return `#${path}${search === '' ? '' : `?${search}`}`;
}

export const sessionHash = (key: string, tab: Tab = 'timeline', query: Route['query'] = {}): string =>
  routeHash({ view: 'session', key, tab, query });

/** Goes somewhere, as a step that Back undoes. */
export const go = (hash: string): void => {
  location.hash = hash;
};

/** Changes how the present view is set, without a step in the history. */
export function amend(change: Readonly<Record<string, string | undefined>>): void {
  const route = readRoute(location.hash);
  const query = Object.fromEntries(
    Object.entries({ ...route.query, ...change }).filter((pair): pair is [string, string] => (pair[1] ?? '') !== ''),
  );
  history.replaceState(null, '', routeHash({ ...route, query }));
  dispatchEvent(new Event('hashchange'));
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const follow = (): void => setRoute(readRoute(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return route;
}
