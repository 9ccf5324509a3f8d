import { dirname, join } from 'node:path';

import { dateFrom } from '../date.ts';
import type { FaultLog } from '../fault.ts';
import { isFile } from '../files/file-stat.ts';
import { logEntries, readRecords } from '../files/log-file.ts';
import { readDocument } from '../files/read-document.ts';
import { charactersOf, isObject, numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { LinePlace } from '../place.ts';
import type { Reading, Related } from '../session.ts';
import type { Source } from '../tool.ts';
import { buildActive } from './active.ts';
import { idsOf, titleOf } from './detect.ts';
import { createHistory, type History } from './history.ts';
import { appendedMessage, isHeader, isKnownType, isRecord, loopEvent } from './records.ts';
import { dialectOf } from './wire.ts';

/** The newest version of the protocol that is known here. */
const VERSION = '1.5';

/** What the walk over a log collects. */
type Walk = {
  readonly history: History;
  readonly models: Set<string>;
  version: string | undefined;
  title: string | undefined;
  cwd: string | undefined;
  system: string | undefined;
  provider: string | undefined;
  created: number | undefined;
  updated: number | undefined;
};

export async function read(source: Source): Promise<Reading> {
  const { path, faults } = source;
  const walk = await walkOver(source);
  const { history, models, provider, system } = walk;
  const state = await stateOf(path, faults);
  const ids = idsOf(path);
  return {
    ...optional('version', walk.version),
    ...ids,
    ...optional('title', textAt(state.value, 'title') ?? walk.title),
    ...optional('cwd', textAt(state.value, 'cwd') ?? walk.cwd),
    times: { ...optional('created', dateFrom(walk.created)), ...optional('updated', dateFrom(walk.updated)) },
    models: [...models],
    dialect: dialectOf(provider),
    related: state.related,
    entries: () => logEntries(path, isRecord),
    active: () => buildActive({ path, history, provider, model: [...models].at(-1), system }, faults),
  };
}

/** The file that says what a session is: its folder and its title. It lies beside the folder of the agents. */
async function stateOf(
  path: string,
  faults: FaultLog,
): Promise<{ readonly value: JsonObject | undefined; readonly related: Related[] }> {
  const file = join(dirname(dirname(dirname(path))), 'state.json');
  if (idsOf(path).id === path || !(await isFile(file))) return { value: undefined, related: [] };
  const value = await readDocument(file, faults);
  return { value: isObject(value) ? value : undefined, related: [{ kind: 'index', path: file, isThere: true }] };
}

async function walkOver({ path, faults }: Source): Promise<Walk> {
  const walk: Walk = {
    history: createHistory(),
    models: new Set(),
    version: undefined,
    title: undefined,
    cwd: undefined,
    system: undefined,
    provider: undefined,
    created: undefined,
    updated: undefined,
  };
  const cut = { isHere: false };
  for await (const { value, place } of readRecords({ file: path, isRecord, faults: noteCuts(faults, cut) })) {
    if (cut.isHere) {
      const said = appendedMessage(value) ?? loopEvent(value);
      if (said !== undefined) walk.history.absentees.add('torn', charactersOf(said));
      continue;
    }
    checkRecord({ value, place, isFirst: walk.updated === undefined && walk.version === undefined }, faults);
    noteSession(walk, value);
    walk.history.add(value, place);
  }
  return walk;
}

const CUTTING: ReadonlySet<string> = new Set(['bom', 'nul', 'torn', 'glued', 'not-json', 'too-deep', 'too-long']);

/** Kimi Code cuts a log off where the first line is that it cannot parse. */
function noteCuts(faults: FaultLog, cut: { isHere: boolean }): FaultLog {
  const add: FaultLog['add'] = (kind, place, note) => {
    faults.add(kind, place, note);
    if (cut.isHere || !CUTTING.has(kind)) return;
    cut.isHere = true;
    faults.add('bad-record', place, 'Kimi Code cuts the file off here when it opens the session.');
  };
  return { ...faults, add };
}

type Checked = { readonly value: JsonObject; readonly place: LinePlace; readonly isFirst: boolean };

function checkRecord({ value, place, isFirst }: Checked, faults: FaultLog): void {
  const version = isHeader(value) ? textAt(value, 'protocol_version') : undefined;
  if (isFirst && version === undefined) {
    faults.add('missing-head', place, 'A log begins with its version. Kimi Code sets no model without it.');
  }
  if (version !== undefined && isNewer(version)) {
    faults.add('newer-version', place, `Version ${version} is newer than what is known here (${VERSION}).`);
  }
  if (!isKnownType(value)) {
    faults.add('unknown-record', place, `Records of the type ${textAt(value, 'type') ?? ''} are not known here.`);
  }
}

const isNewer = (version: string): boolean =>
  version.localeCompare(VERSION, 'en', { numeric: true, sensitivity: 'base' }) > 0;

function noteSession(walk: Walk, value: JsonObject): void {
  if (isHeader(value)) walk.version = textAt(value, 'protocol_version');
  walk.created ??= numberAt(value, 'created_at') ?? numberAt(value, 'time');
  walk.updated = numberAt(value, 'time') ?? walk.updated;
  walk.title ??= titleOf([value]);
  walk.cwd = textAt(objectAt(value, 'environmentDisclosure'), 'cwd') ?? walk.cwd;
  walk.system = textAt(value, 'systemPrompt') ?? walk.system;
  if (value['type'] !== 'llm.request') return;
  walk.provider = textAt(value, 'provider') ?? walk.provider;
  const model = textAt(value, 'model');
  if (model === undefined) return;
  walk.models.delete(model);
  walk.models.add(model);
}
