import { createAbsentees, type Absentees } from '../absentees.ts';
import { createFaultLog } from '../fault.ts';
import { logEntries, readRecords } from '../files/log-file.ts';
import type { FileRecord } from '../files/parse-line.ts';
import { charactersOf, optional, textAt, type JsonObject } from '../json.ts';
import type { Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { buildActive } from './active.ts';
import { followChain, type Chain, type Node } from './chain.ts';
import { customTitle, parentOf, promptTitle } from './detect.ts';
import { authType, compressedHistory, isArtifact, isKnownKind, isRecord, messageOf } from './records.ts';
import { dialectOf } from './wire.ts';

/** What the walk over a session collects. */
type Walk = {
  nodes: Node[];
  /** What is not among the nodes: records that a compression stands for. */
  readonly absentees: Absentees;
  isStraight: boolean;
  hasForgotten: boolean;
  readonly models: Set<string>;
  readonly latest: Map<string, string>;
  first: JsonObject | undefined;
  auth: string | undefined;
};

export async function read(source: Source): Promise<Reading> {
  const { path, faults } = source;
  const { walk, chain } = await follow(source);
  if (chain.lost !== undefined) {
    const { place, parent } = chain.lost;
    faults.add('lost-parent', place, `The record before this one (${parent}) is not in the file; Qwen stops here.`);
  }
  const { first, latest, models, auth } = walk;
  const dialect = dialectOf(auth);
  return {
    ...optional('version', latest.get('version')),
    ...optional('id', textAt(first, 'sessionId')),
    ...optional('title', latest.get('title') ?? latest.get('prompt')),
    ...optional('cwd', latest.get('cwd')),
    ...optional('parent', latest.get('parent')),
    times: { ...optional('created', textAt(first, 'timestamp')), ...optional('updated', latest.get('timestamp')) },
    models: [...models],
    dialect,
    related: [],
    entries: () => logEntries(path, isRecord),
    active: () => buildActive({ path, chain, dialect, model: [...models].at(-1), absentees: walk.absentees }, faults),
  };
}

/** What a compression stands for is forgotten while the file is read; a path that leads there is followed again. */
async function follow(source: Source): Promise<{ walk: Walk; chain: Chain }> {
  const walk = await walkOver(source, 'forget');
  const chain = followChain(walk.nodes);
  if (chain.lost === undefined || !walk.hasForgotten) return { walk, chain };
  const again = await walkOver({ ...source, faults: createFaultLog() }, 'keep');
  return { walk: again, chain: followChain(again.nodes) };
}

async function walkOver({ path, faults }: Source, before: 'forget' | 'keep'): Promise<Walk> {
  const walk: Walk = {
    nodes: [],
    absentees: createAbsentees(),
    isStraight: true,
    hasForgotten: false,
    models: new Set(),
    latest: new Map(),
    first: undefined,
    auth: undefined,
  };
  for await (const record of readRecords({ file: path, isRecord, faults })) {
    const { value, place } = record;
    if (!isRecord(value)) {
      faults.add('bad-record', place, 'Qwen skips this record: an id is missing, or its type is unknown.');
      walk.absentees.add('torn', charactersOf(value['message']));
      continue;
    }
    if (!isKnownKind(value))
      faults.add(
        'unknown-record',
        place,
        `Records of this kind (${textAt(value, 'subtype')})
      are not known here.`.replace(/\s+/g, ' '),
      );
    noteSession(walk, value);
    if (isArtifact(value)) continue;
    const node = nodeOf(record);
    walk.isStraight &&= walk.nodes.length === 0 || node.parent === walk.nodes.at(-1)?.id;
    if (node.compresses && walk.isStraight && before === 'forget') forget(walk);
    walk.nodes.push(walk.nodes.length === 0 && walk.hasForgotten ? { ...node, parent: undefined } : node);
  }
  return walk;
}

/** Counts the records that a compression stands for, where the path to it is a straight line. */
function forget(walk: Walk): void {
  for (const { speaks, characters } of walk.nodes) if (speaks) walk.absentees.add('compacted', characters);
  walk.hasForgotten ||= walk.nodes.length > 0;
  walk.nodes = [];
}

function nodeOf({ value, place }: FileRecord): Node {
  const message = messageOf(value);
  return {
    id: textAt(value, 'uuid') ?? '',
    parent: textAt(value, 'parentUuid'),
    place,
    compresses: compressedHistory(value) !== undefined,
    speaks: message !== undefined,
    isAside: value['subtype'] === 'realtime_message',
    characters: charactersOf(message?.['parts'] ?? value['message']),
  };
}

function noteSession(walk: Walk, value: JsonObject): void {
  const { latest, models } = walk;
  walk.first ??= value;
  walk.auth = authType(value) ?? walk.auth;
  for (const key of ['version', 'cwd', 'timestamp']) note(latest, key, textAt(value, key));
  note(latest, 'title', customTitle(value));
  note(latest, 'parent', parentOf(value));
  if (!latest.has('prompt')) note(latest, 'prompt', promptTitle([value]));
  const model = textAt(value, 'model');
  if (model === undefined) return;
  models.delete(model);
  models.add(model);
}

const note = (map: Map<string, string>, key: string, value: string | undefined): void => {
  if (value !== undefined) map.set(key, value);
};
