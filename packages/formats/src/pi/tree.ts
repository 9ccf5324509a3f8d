import { followParents } from '../follow-parents.ts';
import type { Place } from '../place.ts';
import type { AbsentReason } from '../session.ts';

/** What is kept of an entry while the file is walked over. */
export type Node = {
  readonly id: string;
  readonly parent: string | undefined;
  readonly type: string;
  readonly place: Place;
  /** Its number among the entries, from 0. */
  readonly number: number;
  readonly characters: number;
  /** Whether it puts messages into the context. */
  readonly speaks: boolean;
  readonly isFailed: boolean;
  readonly isHidden: boolean;
  /** Why its tool does not send it. */
  readonly unsent: AbsentReason | undefined;
  /** Of a compaction: the first entry that it keeps; undefined when it carries what it keeps. */
  readonly firstKept: string | undefined;
  readonly carriesTail: boolean;
  /** Of an edit of the context: the entry that it replaces or removes. */
  readonly target: string | undefined;
};

/** The entries that make up the next request, in order. */
export type Path = {
  readonly steps: readonly Step[];
  /** Why each entry that has something to say is not among them. */
  readonly absent: ReadonlyMap<Node, AbsentReason>;
  /** The entry whose parent is missing. */
  readonly lost: Node | undefined;
};

/** One entry, read as it is, or in the words of an edit. */
export type Step = { readonly node: Node; readonly as: 'entry' | 'compaction' | 'replacement' };

/** Follows the parents from the last entry, and applies the newest compaction and the edits on the way. */
export function followPath(nodes: readonly Node[]): Path {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const { path, lost } = followParents(nodes.at(-1), byId);
  const compaction = path.findLastIndex(({ type }) => type === 'compaction');
  const kept = keptFrom(path, compaction);
  const edits = new Map(path.flatMap((node) => (node.target === undefined ? [] : [[node.target, node] as const])));
  const steps: Step[] = [];
  const absent = new Map<Node, AbsentReason>();
  if (path[compaction] !== undefined) steps.push({ node: path[compaction], as: 'compaction' });
  for (const [index, node] of path.entries()) {
    const edit = edits.get(node.id);
    if (index === compaction || !node.speaks) continue;
    if (index < kept) absent.set(node, 'compacted');
    else if (edit !== undefined) absent.set(node, node.isFailed ? 'failed' : 'rewound');
    else if (node.isFailed) absent.set(node, 'failed');
    else if (node.isHidden) absent.set(node, 'hidden');
    else if (node.unsent !== undefined) absent.set(node, node.unsent);
    else steps.push({ node, as: 'entry' });
    if (index >= kept && edit?.speaks === true) steps.push({ node: edit, as: 'replacement' });
  }
  const onPath = new Set(path);
  const reason: AbsentReason = 'branch';
  for (const node of nodes) {
    if (node.speaks && node.target === undefined && !onPath.has(node)) {
      absent.set(node, lost !== undefined && node.number < lost.number ? 'lost-parent' : reason);
    }
  }
  return { steps, absent, lost };
}

/** Where the entries begin that a compaction left in the context. */
function keptFrom(path: readonly Node[], compaction: number): number {
  const entry = path[compaction];
  if (entry === undefined) return 0;
  if (entry.carriesTail) return compaction;
  const first = path.findIndex(({ id }) => id === entry.firstKept);
  return first === -1 || first > compaction ? compaction : first;
}
