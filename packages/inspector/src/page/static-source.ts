import type { StaticSession } from '../api.ts';
import type { Source } from './source.ts';

const missing = (): Promise<never> => Promise.reject(new Error('A page without a server does not have this.'));

/** The session that the page itself contains. */
export function staticSource({ version, overview, rows, request, pairs, rules, rowOfEntry }: StaticSession): Source {
  return {
    isStatic: true,
    about: () => Promise.resolve({ version, dialects: [request.dialect], first: overview.key }),
    sessions: () => Promise.resolve(),
    summaries: () => Promise.resolve([]),
    search: () => Promise.resolve(),
    overview: () => Promise.resolve(overview),
    rows: (_, from, to) => Promise.resolve(rows.slice(from, to)),
    row: (_, entry) => Promise.resolve(rowOfEntry[entry] ?? 0),
    entry: () => Promise.resolve(null),
    part: () => Promise.resolve(null),
    media: () => Promise.resolve(null),
    request: () => Promise.resolve(request),
    pairs: (_, __, from) => Promise.resolve(pairs.slice(from, from + 50)),
    rule: (id) => {
      const found = rules.find((rule) => rule.id === id);
      return found === undefined ? missing() : Promise.resolve(found);
    },
    follow: () => Promise.resolve(),
  };
}
