import { render } from 'preact';

import type { StaticSession } from '../api.ts';
import { App } from './app.tsx';
import { serverSource } from './server-source.ts';
import { go, readRoute, sessionHash } from './route.ts';
import { staticSource } from './static-source.ts';

const place = document.querySelector('#app');
const data = document.querySelector('#session-data')?.textContent;

async function start(element: Element): Promise<void> {
  const session = data === undefined || data === null ? undefined : (JSON.parse(data) as StaticSession);
  if (session !== undefined) {
    render(<App source={staticSource(session)} first={session.overview.key} />, element);
    return;
  }
  render(<App source={serverSource} first={undefined} />, element);
  const { first } = await serverSource.about();
  if (first !== undefined && readRoute(location.hash).view === 'sessions' && location.hash === '')
    go(sessionHash(first));
}

if (place !== null) void start(place);
