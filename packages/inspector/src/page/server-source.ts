import type { Overview, SessionRow } from '../api.ts';
import type { Source } from './source.ts';

/** Something the server says, or that it is gone, in a sentence for people. */
export class Unanswered extends Error {}

const GONE = 'The server of this page has stopped. Run rethread inspect again, and open the new address.';

async function ask(path: string, signal?: AbortSignal): Promise<Response> {
  const response = await fetch(path, signal === undefined ? {} : { signal }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new Unanswered(GONE);
  });
  if (!response.ok) throw new Unanswered((await response.text()).trim() || GONE);
  return response;
}

async function json<T>(path: string): Promise<T> {
  return (await (await ask(path)).json()) as T;
}

/** The lines of an answer, several at a time, as they come. */
async function lines(path: string, each: (values: readonly unknown[]) => void, signal?: AbortSignal): Promise<void> {
  const { body } = await ask(path, signal);
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const parts = (rest + (value ?? '')).split('\n');
      rest = done ? '' : (parts.pop() ?? '');
      const values = parts.filter((part) => part !== '').map((part): unknown => JSON.parse(part));
      if (values.length > 0) each(values);
      if (done) return;
    }
  } catch (error) {
    if (signal?.aborted === true) return;
    throw error instanceof TypeError ? new Unanswered(GONE) : error;
  }
}

const query = (values: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return new URLSearchParams(given).toString();
};

const of = (key: string, what: string): string => `/api/${encodeURIComponent(key)}/${what}`;

type Line = { readonly overview?: Overview; readonly failed?: string; readonly bytes?: number; readonly of?: number };

async function overview(key: string, progress: (share: number) => void): Promise<Overview> {
  let found: Overview | undefined;
  await lines(of(key, 'overview'), (values) => {
    for (const line of values as Line[]) {
      if (line.failed !== undefined) throw new Unanswered(line.failed);
      found = line.overview ?? found;
      if (line.bytes !== undefined) progress(line.bytes / Math.max(1, line.of ?? 1));
    }
  });
  if (found === undefined) throw new Unanswered(GONE);
  return found;
}

/** How many pairs are asked for at one time. */
const PAIRS = 50;

export const serverSource: Source = {
  isStatic: false,
  about: () => json('/api/about'),
  sessions: (each) => lines('/api/sessions', (rows) => each(rows as SessionRow[])),
  summaries: (keys) => json(`/api/summaries?${query({ keys: keys.join(',') })}`),
  search: (words, each, signal) =>
    lines(
      `/api/search?${query({ q: words })}`,
      (values) => {
        for (const value of values) each(value as Parameters<typeof each>[0]);
      },
      signal,
    ),
  overview,
  rows: (key, from, to) => json(`${of(key, 'rows')}?${query({ from, to })}`),
  row: (key, entry) => json(`${of(key, 'row')}?${query({ entry })}`),
  entry: (key, entry) => json(`${of(key, 'entry')}?${query({ entry })}`),
  part: (key, entry, part) => json(`${of(key, 'part')}?${query({ entry, part })}`),
  media: (key, entry, part) => json(`${of(key, 'media')}?${query({ entry, part })}`),
  request: (key, target) => json(`${of(key, 'request')}?${query(target)}`),
  pairs: (key, target, from) => json(`${of(key, 'pairs')}?${query({ ...target, from, to: from + PAIRS })}`),
  rule: (id) => json(`/api/rule?${query({ id })}`),
  follow: (key, changed, signal) => lines(of(key, 'follow'), () => changed(), signal),
};
