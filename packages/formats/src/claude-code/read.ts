import { createAbsentees, type Absentees } from '../absentees.ts';
import { createFaultLog, type FaultLog } from '../fault.ts';
import { charactersOf, listAt, objectAt, optional, textAt, type JsonObject } from '../json.ts';
import { logEntries, readRecords } from '../files/log-file.ts';
import type { FileRecord } from '../files/parse-line.ts';
import type { AbsentReason, Reading } from '../session.ts';
import type { Source } from '../tool.ts';
import { buildActive } from './active.ts';
import { followChain, isMessage, type Chain, type Links, type Node, type Preserved } from './chain.ts';
import { blocksOf, idsIn, isKnownType, isRecord, isStreamed, messageOf, titleOf } from './records.ts';
import { relatedFiles } from './related.ts';

/** What the walk over a file collects. */
type Walk = {
  nodes: Node[];
  readonly byUuid: Map<string, Node>;
  /** What is not among the nodes: records before a compaction, and those that nothing can lead to. */
  readonly absentees: Absentees;
  hasForgotten: boolean;
  readonly models: Set<string>;
  readonly agents: Set<string>;
  readonly sideFiles: Set<string>;
  /** The latest value of each key that says something about the session as a whole. */
  readonly latest: Map<string, string>;
  leaf: string | undefined;
  preserved: Preserved | undefined;
  firstPrompt: string | undefined;
  created: string | undefined;
  /** The session that this one was forked from, where the records say so. */
  forkedFrom: string | undefined;
};

const LATEST = ['sessionId', 'session_id', 'agentId', 'version', 'cwd', 'customTitle', 'aiTitle', 'timestamp'];

export async function read(source: Source): Promise<Reading> {
  const { path, faults } = source;
  const { walk, links, chain } = await follow(source);
  if (chain.lost !== undefined) {
    const { place, parent } = chain.lost;
    faults.add('lost-parent', place, `The record before this one (${parent}) is not in the file; the tool stops here.`);
  }
  const { latest, firstPrompt, created, models } = walk;
  const isSubagent = links.nodes.every(({ kind, isSidechain }) => kind === 'other' || isSidechain);
  const agent = isSubagent ? latest.get('agentId') : undefined;
  const session = latest.get('sessionId') ?? latest.get('session_id');
  return {
    ...optional('version', latest.get('version')),
    ...optional('id', agent ?? session),
    ...optional('title', latest.get('customTitle') ?? latest.get('aiTitle') ?? firstPrompt),
    ...optional('cwd', latest.get('cwd')),
    ...optional('parent', agent === undefined ? walk.forkedFrom : session),
    times: { ...optional('created', created), ...optional('updated', latest.get('timestamp')) },
    models: [...models],
    dialect: 'anthropic-messages',
    related: await relatedFiles(path, walk, faults),
    entries: () => logEntries(path, isRecord),
    active: () => buildActive(path, { links, chain, model: [...models].at(-1) }, faults),
  };
}

/**
 * What a compaction stands for is forgotten while the file is read: a long session has many of them. Where the chain
 * leads behind one all the same, because the user went back there, the file is read again.
 */
async function follow(source: Source): Promise<{ walk: Walk; links: Links; chain: Chain }> {
  const walk = await walkOver(source, 'forget');
  const links = linksOf(walk);
  const chain = followChain(links);
  if (chain.lost === undefined || !walk.hasForgotten) return { walk, links, chain };
  const again = await walkOver({ ...source, faults: createFaultLog() }, 'keep');
  return { walk: again, links: linksOf(again), chain: followChain(linksOf(again)) };
}

async function walkOver({ path, faults }: Source, before: 'forget' | 'keep'): Promise<Walk> {
  const walk: Walk = {
    nodes: [],
    byUuid: new Map(),
    absentees: createAbsentees(),
    hasForgotten: false,
    models: new Set(),
    agents: new Set(),
    sideFiles: new Set(),
    latest: new Map(),
    leaf: undefined,
    preserved: undefined,
    firstPrompt: undefined,
    created: undefined,
    forkedFrom: undefined,
  };
  for await (const record of readRecords({ file: path, isRecord, faults })) {
    const { value, place } = record;
    const type = textAt(value, 'type');
    if (type === undefined) faults.add('bad-record', place, 'This record does not say what it is.');
    else if (!isKnownType(type)) faults.add('unknown-record', place, `Records of the type ${type} are not known here.`);
    noteSession(walk, value);
    const node = nodeOf(record, walk.nodes);
    if (node === undefined) {
      setAside(walk, record, faults);
      continue;
    }
    if (walk.byUuid.has(node.uuid)) {
      faults.add('repeated-id', place, `Another record has the uuid ${node.uuid}; the first one counts.`);
      walk.nodes.push({ ...node, unsent: 'repeated' });
      continue;
    }
    if (node.isBoundary && !node.isSidechain && before === 'forget') forget(walk);
    if (value['type'] === 'attachment') checkAttachment(value, place, faults);
    walk.nodes.push(node);
    walk.byUuid.set(node.uuid, node);
  }
  return walk;
}

/** Without a uuid a record is on no chain. Attachments may have none; messages have one. */
function setAside({ absentees }: Walk, { value, place }: FileRecord, faults: FaultLog): void {
  const message = messageOf(value);
  const attachment = objectAt(value, 'attachment');
  if (message !== undefined) faults.add('bad-record', place, 'This message has no uuid, so nothing leads to it.');
  if (value['type'] === 'attachment') checkAttachment(value, place, faults);
  if (message ?? attachment) absentees.add('hidden', charactersOf(message?.['content'] ?? attachment));
}

function checkAttachment(value: JsonObject, place: FileRecord['place'], faults: FaultLog): void {
  if (textAt(objectAt(value, 'attachment'), 'type') !== undefined) return;
  faults.add('bad-record', place, 'This attachment is malformed: Claude Code may fail on every turn.');
}

/** Counts the records before a compaction, and keeps only those that it preserves. */
function forget(walk: Walk): void {
  const preserved = new Set(walk.preserved?.uuids);
  const kept = walk.nodes.filter(({ uuid }) => preserved.has(uuid));
  for (const node of walk.nodes) {
    if (preserved.has(node.uuid)) continue;
    walk.byUuid.delete(node.uuid);
    if (!isMessage(node)) continue;
    walk.absentees.add(node.unsent ?? (node.isSidechain ? 'sidechain' : 'compacted'), node.characters);
  }
  walk.nodes = kept;
  walk.hasForgotten = true;
}

function noteSession(walk: Walk, value: JsonObject): void {
  for (const key of LATEST) {
    const text = textAt(value, key);
    if (text !== undefined) walk.latest.set(key, text);
  }
  walk.created ??= textAt(value, 'timestamp');
  walk.forkedFrom ??= textAt(objectAt(value, 'forkedFrom'), 'sessionId');
  walk.firstPrompt ??= titleOf(value);
  if (value['type'] === 'last-prompt') walk.leaf = textAt(value, 'leafUuid');
  else if (messageOf(value) !== undefined) walk.leaf = undefined;
  const model = textAt(messageOf(value), 'model');
  if (model !== undefined && model !== '<synthetic>') {
    walk.models.delete(model);
    walk.models.add(model);
  }
  const agent = textAt(objectAt(value, 'toolUseResult'), 'agentId');
  if (agent !== undefined) walk.agents.add(agent);
  for (const file of sideFilesOf(value)) walk.sideFiles.add(file);
  if (value['subtype'] === 'compact_boundary') walk.preserved = preservedBy(value, walk);
}

/** Results that are too long live in files of their own, and the result names them. */
function sideFilesOf(value: JsonObject): string[] {
  return blocksOf(messageOf(value)?.['content']).flatMap((block) => {
    const content = textAt(block, 'content') ?? '';
    if (!content.startsWith('<persisted-output>')) return [];
    return /saved to: (.+)$/m.exec(content)?.[1]?.trim() ?? [];
  });
}

function preservedBy(value: JsonObject, { byUuid }: Walk): Preserved | undefined {
  const metadata = objectAt(value, 'compactMetadata');
  const messages = objectAt(metadata, 'preservedMessages');
  const segment = objectAt(metadata, 'preservedSegment');
  const anchor = textAt(messages, 'anchorUuid') ?? textAt(segment, 'anchorUuid');
  if (anchor === undefined) return undefined;
  const listed = listAt(messages, 'uuids').filter((uuid) => typeof uuid === 'string');
  const uuids = listed.length > 0 ? listed : segmentOf(segment, byUuid);
  const known = uuids.filter((uuid) => byUuid.has(uuid) && uuid !== anchor);
  return known.length === 0 ? undefined : { anchor, uuids: [...new Set(known)] };
}

/** The records from the last of a segment up to its first. */
function segmentOf(segment: JsonObject | undefined, byUuid: ReadonlyMap<string, Node>): string[] {
  const first = textAt(segment, 'headUuid');
  const found = new Set<string>();
  let at = textAt(segment, 'tailUuid');
  while (at !== undefined && byUuid.has(at) && !found.has(at)) {
    found.add(at);
    if (at === first) return [...found].reverse();
    at = byUuid.get(at)?.parent;
  }
  return [];
}

function nodeOf({ value, place }: FileRecord, before: readonly Node[]): Node | undefined {
  const uuid = textAt(value, 'uuid');
  if (uuid === undefined) return undefined;
  const message = messageOf(value);
  const content = message?.['content'];
  const isAssistant = message !== undefined && value['type'] === 'assistant';
  const kind = message === undefined ? 'other' : isAssistant ? 'assistant' : 'user';
  const id = textAt(message, 'id');
  return {
    uuid,
    parent: isStreamed(value) ? before.findLast((node) => !node.isSidechain)?.uuid : textAt(value, 'parentUuid'),
    kind,
    isSidechain: value['isSidechain'] === true || textAt(value, 'parent_tool_use_id') !== undefined,
    isBoundary: value['subtype'] === 'compact_boundary',
    answer: isAssistant ? id : undefined,
    calls: isAssistant ? idsIn(content, 'tool_use') : [],
    results: kind === 'user' ? idsIn(content, 'tool_result') : [],
    characters: charactersOf(message === undefined ? value['attachment'] : content),
    unsent: unsentReason(value),
    place,
  };
}

/** Why a record is not sent; undefined for one that is. */
function unsentReason(value: JsonObject): AbsentReason | undefined {
  const message = messageOf(value);
  if (message !== undefined) {
    const isNotice = value['isApiErrorMessage'] === true || message['model'] === '<synthetic>';
    return isNotice ? 'failed' : undefined;
  }
  if (value['type'] !== 'attachment') return value['subtype'] === 'local_command' ? undefined : 'hidden';
  return textAt(objectAt(value, 'attachment'), 'type') === 'queued_command' ? undefined : 'reworded';
}

function linksOf({ nodes, byUuid, leaf, preserved, absentees }: Walk): Links {
  const messages = nodes.filter(({ kind, unsent }) => kind !== 'other' && unsent !== 'repeated');
  const main = messages.some(({ isSidechain }) => !isSidechain) ? messages.filter((n) => !n.isSidechain) : messages;
  const noted = leaf !== undefined && byUuid.has(leaf) ? leaf : undefined;
  return { nodes, byUuid, leaf: noted ?? extendLeaf(main.at(-1), nodes), preserved, uncounted: absentees.list() };
}

/** Attachments and notices may follow the last message. */
function extendLeaf(last: Node | undefined, nodes: readonly Node[]): string | undefined {
  let leaf = last?.uuid;
  for (const { uuid, parent, kind, place } of nodes) {
    if (kind === 'other' && last !== undefined && place.byte > last.place.byte && parent === leaf) leaf = uuid;
  }
  return leaf;
}
