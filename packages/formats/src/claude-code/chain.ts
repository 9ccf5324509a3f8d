import type { LinePlace } from '../place.ts';
import type { Absent, AbsentReason } from '../session.ts';

/** What is kept of a record with a uuid while the file is walked over. */
export type Node = {
  readonly uuid: string;
  readonly parent: string | undefined;
  readonly kind: 'user' | 'assistant' | 'other';
  readonly isSidechain: boolean;
  /** A compaction ends here: what is before it is summarised. */
  readonly isBoundary: boolean;
  /** The id that the lines of one answer share. */
  readonly answer: string | undefined;
  readonly calls: readonly string[];
  readonly results: readonly string[];
  readonly characters: number;
  /** Why it is not sent although it is on the chain. */
  readonly unsent: AbsentReason | undefined;
  readonly place: LinePlace;
};

/** Messages that a compaction kept although they stand before it: they follow `anchor`. */
export type Preserved = { readonly anchor: string; readonly uuids: readonly string[] };

/** All that one walk over a session learns about its order. */
export type Links = {
  readonly nodes: readonly Node[];
  readonly byUuid: ReadonlyMap<string, Node>;
  /** The end of the chain where the tool has noted it. */
  readonly leaf: string | undefined;
  readonly preserved: Preserved | undefined;
  /** What is not among the nodes: records before the newest compaction, and those that nothing can lead to. */
  readonly uncounted: readonly Absent[];
};

/** Whether a record is a message, or would be one if the tool sent it. */
export const isMessage = ({ kind, unsent }: Node): boolean =>
  kind !== 'other' || unsent === undefined || unsent === 'reworded';

/** The records that the next request is made of, the oldest first, and the parent that is missing before them. */
export type Chain = { readonly nodes: readonly Node[]; readonly lost: Node | undefined };

/** Follows the parents from the end of the session to its beginning, or to the newest compaction. */
export function followChain(links: Links): Chain {
  const parentOf = parents(links);
  const path: Node[] = [];
  const seen = new Set<string>();
  let lost: Node | undefined;
  let at = links.leaf === undefined ? undefined : links.byUuid.get(links.leaf);
  while (at !== undefined && !seen.has(at.uuid)) {
    seen.add(at.uuid);
    path.push(at);
    const parent = parentOf(at);
    const next = parent === undefined ? undefined : links.byUuid.get(parent);
    if (parent !== undefined && next === undefined) lost = at;
    at = next;
  }
  const nodes = path.reverse();
  return { nodes: [...withSiblings(nodes, links)], lost };
}

function parents({ preserved }: Links): (node: Node) => string | undefined {
  if (preserved === undefined) return ({ parent }) => parent;
  const { anchor, uuids } = preserved;
  const before = new Map(uuids.map((uuid, index) => [uuid, uuids[index - 1] ?? anchor]));
  const last = uuids.at(-1);
  return ({ uuid, parent }) => before.get(uuid) ?? (parent === anchor ? last : parent);
}

/**
 * The lines of one answer, and the results of its calls, hang off the chain side by side: each result is a child of the
 * line that holds its call. All of them belong to it.
 */
function* withSiblings(chain: readonly Node[], { nodes }: Links): Generator<Node> {
  const answers = new Set(chain.flatMap(({ answer }) => answer ?? []));
  const answered = new Set(chain.flatMap(({ results }) => results));
  const isOn = new Set(chain.map(({ uuid }) => uuid));
  const side = chain.at(-1)?.isSidechain;
  const lines = new Map<string, Node[]>();
  const results = new Map<string, Node[]>();
  for (const node of nodes) {
    if (node.isSidechain !== side || node.unsent !== undefined) continue;
    if (node.answer !== undefined && answers.has(node.answer)) append(lines, node.answer, node);
    if (!isOn.has(node.uuid)) for (const id of node.results) if (!answered.has(id)) append(results, id, node);
  }
  const given = new Set<Node>();
  for (const node of chain) {
    const answer = (node.answer === undefined ? undefined : lines.get(node.answer)) ?? [node];
    const found = answer.flatMap(({ calls }) => calls.flatMap((id) => results.get(id) ?? []));
    for (const each of [...answer, ...found]) {
      if (!given.has(each)) yield each;
      given.add(each);
    }
  }
}

function append(map: Map<string, Node[]>, key: string, node: Node): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [node]);
  else list.push(node);
}

/** Why the records that are not on the chain are not. A record may only be asked about once the chain is known. */
export function absentReasons(links: Links, chain: Chain): (node: Node) => AbsentReason {
  const boundary = links.nodes.findLast(
    ({ isBoundary, uuid }) => isBoundary && chain.nodes.some((n) => n.uuid === uuid),
  );
  const begin = chain.lost?.place.byte ?? 0;
  const side = chain.nodes.at(-1)?.isSidechain;
  return (node) => {
    if (node.unsent !== undefined) return node.unsent;
    if (node.isSidechain !== side) return 'sidechain';
    if (boundary !== undefined && node.place.byte < boundary.place.byte) return 'compacted';
    return node.place.byte < begin ? 'lost-parent' : 'branch';
  };
}
