import { createAbsentees, type Absentees } from '../absentees.ts';
import { createFaultLog, type FaultLog } from '../fault.ts';
import { isFile } from '../files/file-stat.ts';
import { logEntries, readRecords, rereadRecords } from '../files/log-file.ts';
import type { Flaw } from '../files/parse-line.ts';
import { numberAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import type { Place } from '../place.ts';
import type { AbsentReason, Entry, Reading, Related } from '../session.ts';
import type { Source } from '../tool.ts';
import { buildActive, type Retell } from './active.ts';
import { titleOf } from './detect.ts';
import {
  charactersIn,
  isFailed,
  isHeader,
  isKnownType,
  isRecord,
  isSkipped,
  messagesOf,
  retainedTail,
  sendable,
  systemText,
} from './entries.ts';
import { dialectOf, type Model } from './model.ts';
import { followPath, type Node, type Path } from './tree.ts';

/** An entry of a tree of messages, wherever it is kept. */
export type TreeRecord = { readonly value: JsonObject; readonly place: Place; readonly flaws: readonly Flaw[] };

/** How the sessions of a tool that keeps such trees are read. */
export type Tree = {
  readonly tool: string;
  /** The newest version of the format that is known here. */
  readonly version: number;
  readonly records: (faults: FaultLog) => AsyncIterable<TreeRecord>;
  readonly reread: (places: readonly Place[], faults: FaultLog) => Promise<(JsonObject | undefined)[]>;
  readonly entries: () => AsyncIterable<Entry>;
  /** Why an entry is not sent, where this tool has reasons of its own. */
  readonly unsent?: (entry: JsonObject) => AbsentReason | undefined;
  /** Changes what is said before it is written in the words of an API. */
  readonly retell?: Retell;
};

export const piTree = (path: string): Tree => ({ tool: 'pi', version: 3, ...logTree(path) });

/** A tree in a log. */
export const logTree = (path: string): Pick<Tree, 'records' | 'reread' | 'entries'> => ({
  records: (faults) => readRecords({ file: path, isRecord, faults }),
  reread: (places, faults) => {
    const lines = places.filter((place) => place.kind === 'line');
    return rereadRecords(path, lines, faults);
  },
  entries: () => logEntries(path, isRecord),
});

/** What the walk over a session collects. */
type Walk = {
  nodes: Node[];
  /** Entries so far, also those that were forgotten. */
  count: number;
  /** What is not among the nodes: entries that pi skips, and those that a compaction stands for. */
  readonly absentees: Absentees;
  hasForgotten: boolean;
  readonly models: Set<string>;
  header: JsonObject | undefined;
  named: JsonObject | undefined;
  prompt: JsonObject | undefined;
  system: string | undefined;
  model: Model;
  updated: string | undefined;
};

export const read = async ({ path, faults }: Source): Promise<Reading> => readTree(piTree(path), faults);

/** Walks over a tree once, and follows the path to its last entry. */
export async function readTree(tree: Tree, faults: FaultLog): Promise<Reading> {
  const { walk, followed } = await follow(tree, faults);
  const { header, models, named, prompt, model } = walk;
  if (followed.lost !== undefined) {
    const { place, parent } = followed.lost;
    faults.add('lost-parent', place, `The entry before this one (${parent}) is missing; ${tree.tool} stops here.`);
  }
  const title = titleOf([prompt, named].filter((entry) => entry !== undefined));
  const text = (key: string): string | undefined => textAt(header, key);
  const dialect = dialectOf(model);
  return {
    ...(header === undefined ? {} : { version: String(numberAt(header, 'version') ?? text('version') ?? 1) }),
    ...optional('id', text('id')),
    ...optional('title', title),
    ...optional('cwd', text('cwd')),
    ...optional('parent', text('parentSession')),
    times: { ...optional('created', text('timestamp')), ...optional('updated', walk.updated) },
    models: [...models],
    dialect,
    related: await parentFile(text('parentSession')),
    entries: tree.entries,
    active: () => buildActive({ tree, followed, model, system: walk.system, absentees: walk.absentees }, faults),
  };
}

/** A fork has the path of the session that it was made of. */
async function parentFile(path: string | undefined): Promise<Related[]> {
  return path === undefined ? [] : [{ kind: 'parent', path, isThere: await isFile(path) }];
}

/**
 * What a compaction stands for is forgotten while the file is read. Where the path leads behind one all the same,
 * because the user went back there, the file is read again.
 */
async function follow(tree: Tree, faults: FaultLog): Promise<{ walk: Walk; followed: Path }> {
  const walk = await walkOver(tree, faults, 'forget');
  const followed = followPath(walk.nodes);
  if (followed.lost === undefined || !walk.hasForgotten) return { walk, followed };
  const again = await walkOver(tree, createFaultLog(), 'keep');
  return { walk: again, followed: followPath(again.nodes) };
}

async function walkOver(tree: Tree, faults: FaultLog, before: 'forget' | 'keep'): Promise<Walk> {
  const { tool } = tree;
  const walk: Walk = {
    nodes: [],
    count: 0,
    models: new Set(),
    absentees: createAbsentees(),
    hasForgotten: false,
    header: undefined,
    named: undefined,
    prompt: undefined,
    system: undefined,
    model: {},
    updated: undefined,
  };
  let ids = new Set<string>();
  let isFirst = true;
  for await (const record of tree.records(faults)) {
    const { value, place, flaws } = record;
    if (isSkipped(flaws, place)) {
      if (messagesOf(value).length > 0) walk.absentees.add('torn', charactersIn(messagesOf(value)));
      faults.add('bad-record', place, `${tool} skips this entry, because its line is not plain JSON.`);
      continue;
    }
    if (isFirst && !isHeader(value)) {
      faults.add('missing-head', place, `A session begins with its header. ${tool} starts a new one without it.`);
    }
    isFirst = false;
    checkEntry(record, tree.version, faults);
    noteSession(walk, value);
    if (value['type'] === 'session') continue;
    const node = nodeOf(record, walk, tree);
    if (ids.has(node.id)) faults.add('repeated-id', place, `Another entry has the id ${node.id}; the last one counts.`);
    ids.add(node.id);
    walk.count += 1;
    walk.nodes.push(node);
    if (node.type === 'compaction' && before === 'forget') {
      forget(walk);
      ids = new Set(walk.nodes.map(({ id }) => id));
    }
  }
  return walk;
}

/** Counts the entries that the compaction at the end stands for, where the path to it is a straight line. */
function forget(walk: Walk): void {
  const { nodes } = walk;
  const last = nodes.length - 1;
  const first = nodes[last]?.carriesTail === true ? last : nodes.findIndex(({ id }) => id === nodes[last]?.firstKept);
  const isStraight = nodes.every(({ parent }, index) => index === 0 || parent === nodes[index - 1]?.id);
  if (first <= 0 || !isStraight) return;
  for (const node of nodes.slice(0, first)) {
    if (node.speaks && node.target === undefined) walk.absentees.add('compacted', node.characters);
  }
  walk.hasForgotten = true;
  walk.nodes = nodes.slice(first).map((node, index) => (index === 0 ? { ...node, parent: undefined } : node));
}

function checkEntry({ value, place }: TreeRecord, known: number, faults: FaultLog): void {
  const type = textAt(value, 'type') ?? '';
  if (!isKnownType(type)) faults.add('unknown-record', place, `Entries of the type ${type} are not known here.`);
  const version = type === 'session' ? numberAt(value, 'version') : undefined;
  if (version !== undefined && version > known) {
    faults.add('newer-version', place, `Version ${version} is newer than what is known here (${known}).`);
  }
}

function noteSession(walk: Walk, value: JsonObject): void {
  walk.updated = textAt(value, 'timestamp') ?? walk.updated;
  const message = objectAt(value, 'message');
  if (isHeader(value)) walk.header ??= value;
  if (value['type'] === 'session_info') walk.named = value;
  if (message?.['role'] === 'user') walk.prompt ??= value;
  if (message !== undefined) walk.system = systemText(message) ?? walk.system;
  const model = modelOf(value);
  if (model === undefined) return;
  walk.model = { ...walk.model, ...model };
  if (model.id === undefined) return;
  walk.models.delete(model.id);
  walk.models.add(model.id);
}

/** The model that is chosen, or that gave an answer; only answers tell the API. */
function modelOf(value: JsonObject): Model | undefined {
  const message = objectAt(value, 'message');
  if (value['type'] === 'model_change') {
    return { ...optional('provider', textAt(value, 'provider')), ...optional('id', textAt(value, 'modelId')) };
  }
  if (message?.['role'] !== 'assistant') return undefined;
  return {
    ...optional('api', textAt(message, 'api')),
    ...optional('provider', textAt(message, 'provider')),
    ...optional('id', textAt(message, 'model')),
  };
}

function nodeOf({ value, place }: TreeRecord, { header, nodes, count }: Walk, { unsent }: Tree): Node {
  const type = textAt(value, 'type') ?? '';
  const isLinear = textAt(value, 'id') === undefined || isLinearTree(value, header);
  const tail = type === 'compaction' ? retainedTail(value) : undefined;
  const replacement = objectAt(value, 'replacement');
  const messages = type === 'context_edit' ? (replacement === undefined ? [] : [replacement]) : messagesOf(value);
  return {
    // The first version has no ids: each entry follows the one before it.
    id: isLinear ? `#${nodes.length}` : (textAt(value, 'id') ?? ''),
    parent: isLinear ? nodes.at(-1)?.id : parentIn(value, header),
    type,
    place,
    number: count,
    characters: charactersIn(messages),
    speaks: messages.length > 0 && messages.every(({ role }) => role !== 'system'),
    isFailed: messages.some(isFailed),
    unsent: unsent?.(value),
    isHidden: messages.every((message) => sendable(message) === undefined),
    firstKept: isLinear ? `#${(numberAt(value, 'firstKeptEntryIndex') ?? 0) - 1}` : textAt(value, 'firstKeptEntryId'),
    carriesTail: tail !== undefined,
    target: type === 'context_edit' ? textAt(value, 'targetId') : undefined,
  };
}

/** The first entries of some sessions follow the header, which is none of them. */
const parentIn = (value: JsonObject, header: JsonObject | undefined): string | undefined => {
  const parent = textAt(value, 'parentId');
  return parent === textAt(header, 'id') ? undefined : parent;
};

/** Until the second version there were no parents: each entry follows the one before it. */
const isLinearTree = (value: JsonObject, header: JsonObject | undefined): boolean =>
  (numberAt(header, 'version') ?? 1) < 2 && !Object.hasOwn(value, 'parentId');
