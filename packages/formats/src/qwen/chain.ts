import { followParents } from '../follow-parents.ts';
import type { LinePlace } from '../place.ts';
import type { AbsentReason } from '../session.ts';

/** What is kept of a record while the file is walked over. */
export type Node = {
  readonly id: string;
  readonly parent: string | undefined;
  readonly place: LinePlace;
  /** Whether it carries the whole history up to itself. */
  readonly compresses: boolean;
  readonly speaks: boolean;
  /** A spoken aside, which is shown and never sent. */
  readonly isAside: boolean;
  readonly characters: number;
};

/** The records that the next request is made of. Those that share an id are pieces of one message. */
export type Chain = {
  readonly nodes: readonly Node[];
  readonly absent: ReadonlyMap<Node, AbsentReason>;
  readonly lost: Node | undefined;
};

/** Follows the parents from the last record, to the first one or to the newest compression. */
export function followChain(nodes: readonly Node[]): Chain {
  const firsts = new Map<string, Node>();
  const pieces = new Map<string, Node[]>();
  for (const node of nodes) {
    if (!firsts.has(node.id)) firsts.set(node.id, node);
    const held = pieces.get(node.id);
    if (held === undefined) pieces.set(node.id, [node]);
    else held.push(node);
  }
  const last = nodes.at(-1);
  const { path, lost } = followParents(last === undefined ? undefined : firsts.get(last.id), firsts);
  const whole = path.flatMap(({ id }) => pieces.get(id) ?? []);
  const compression = whole.findLastIndex(({ compresses }) => compresses);
  const absent = new Map<Node, AbsentReason>();
  const onPath = new Set(whole);
  for (const node of nodes) {
    if (!node.speaks && !node.isAside) continue;
    if (node.isAside) absent.set(node, 'hidden');
    else if (!onPath.has(node)) {
      absent.set(node, lost !== undefined && node.place.byte < lost.place.byte ? 'lost-parent' : 'branch');
    }
  }
  for (const node of whole.slice(0, Math.max(0, compression))) if (node.speaks) absent.set(node, 'compacted');
  const sent = whole.slice(Math.max(0, compression)).filter(({ speaks, compresses }) => speaks || compresses);
  return { nodes: sent, absent, lost };
}
