import type { Dialect } from '@rethread/core';

import { createFaultLog, type FaultLog } from '../fault.ts';
import { numberAt, objectAt, optional, textAt } from '../json.ts';
import type { Entry, Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { dateFrom } from '../date.ts';
import { buildActive, type Target } from './active.ts';
import { keep, select, type Kept } from './select.ts';
import { openStore, type Store } from './stores.ts';

export async function read(source: Source): Promise<Reading> {
  const store = await openStore(source);
  const { session } = store;
  const all = await walkOver(store, source.faults);
  reportNewer(source);
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

/** opencode 2 keeps messages in another table, and never moves those that were written to the old one later. */
function reportNewer({ path, sample, faults }: Source): void {
  const { database } = sample;
  if (database?.tables.has('session_message') !== true) return;
  const [row] = database.rows('SELECT count(*) AS count FROM session_message');
  const count = numberAt(row, 'count') ?? 0;
  if (count === 0) return;
  const place = { kind: 'row', database: path, table: 'session_message', row: 1 } as const;
  faults.add('newer-version', place, `${count} messages of opencode 2 are in this database; they are not read here.`);
}

/** The dialects of the APIs whose seals parts have, and of the providers that are known by name. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  anthropic: 'anthropic-messages',
  openai: 'openai-responses',
  azure: 'openai-responses',
  copilot: 'openai-responses',
  google: 'gemini',
  vertex: 'gemini',
};

/** The next prompt goes to the model that the last one went to. */
function targetOf(all: readonly Kept[]): Target {
  const last = all.findLast(({ model }) => model.id !== undefined)?.model;
  const same = all.filter(({ model }) => model.provider === last?.provider);
  const api = same.findLast((message) => message.api !== undefined)?.api ?? last?.provider;
  const dialect = (api !== undefined && Object.hasOwn(DIALECTS, api) ? DIALECTS[api] : undefined) ?? 'openai-chat';
  return { dialect, provider: last?.provider, model: last?.id };
}
