import { createFaultLog, type FaultLog } from '../fault.ts';
import { numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Entry, Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { dateFrom } from '../date.ts';
import { read as readCrush } from '../crush/read.ts';
import { buildActive, type Target } from './active.ts';
import { isFirstOpencode } from './detect.ts';
import { keep, select, type Kept } from './select.ts';
import { readSecond, secondSession } from './second.ts';
import { openStore, type Store } from './stores.ts';
import { dialectOf } from './target.ts';

export async function read(source: Source): Promise<Reading> {
  const { database } = source.sample;
  if (isFirstOpencode(source.sample)) return readCrush(source);
  const second = database === undefined ? undefined : secondSession(database, source.session);
  if (database !== undefined && second !== undefined) return readSecond(source, database, second);
  const store = await openStore(source);
  const { session } = store;
  const all = await walkOver(store, source.faults);
  reportHidden(source, session);
  const selection = select(all, objectAt(session, 'revert'));
  const models = new Set(all.flatMap(({ model }) => model.id ?? []));
  const target = targetOf(all);
  const time = objectAt(session, 'time');
  const { created } = all[0] ?? {};
  return {
    ...optional('version', textAt(session, 'version')),
    ...optional('id', textAt(session, 'id')),
    ...optional('title', textAt(session, 'title')),
    ...optional('cwd', textAt(session, 'directory')),
    ...optional('parent', textAt(session, 'parentID')),
    times: {
      ...optional('created', dateFrom(numberAt(time, 'created') ?? created)),
      ...optional('updated', dateFrom(numberAt(time, 'updated') ?? all.at(-1)?.created)),
    },
    models: [...models],
    dialect: target.dialect,
    related: [],
    entries: () => entriesOf(store),
    active: () => buildActive(store, { selection, target }),
  };
}

async function walkOver(store: Store, faults: FaultLog): Promise<Kept[]> {
  const all: Kept[] = [];
  for await (const message of store.messages(faults)) all.push(keep(message));
  return all;
}

async function* entriesOf(store: Store): AsyncGenerator<Entry> {
  for await (const { info, place, parts } of store.messages(createFaultLog())) {
    yield { place, type: textAt(info, 'role') ?? 'message', value: info };
    for (const part of parts) yield { ...part, type: textAt(part.value, 'type') ?? 'part' };
  }
}

/** The second version took over the sessions that it found once, and never looks at the old tables again. */
function reportHidden({ path, sample, faults }: Source, session: JsonObject): void {
  const { database } = sample;
  const id = textAt(session, 'id');
  if (database?.tables.has('session_v2') !== true || id === undefined) return;
  const [row] = database.rows('SELECT id FROM session_v2 WHERE id = ?', id);
  if (row !== undefined) return;
  const place = { kind: 'row', database: path, table: 'session', row: id } as const;
  faults.add('stale-index', place, 'opencode 2 took over the sessions of this database before this one was written.');
}

/** The next prompt goes to the model that the last one went to. */
function targetOf(all: readonly Kept[]): Target {
  const last = all.findLast(({ model }) => model.id !== undefined)?.model;
  const same = all.filter(({ model }) => model.provider === last?.provider);
  const api = same.findLast((message) => message.api !== undefined)?.api ?? last?.provider;
  return { dialect: dialectOf(api), provider: last?.provider, model: last?.id };
}
