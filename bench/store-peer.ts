import { join } from 'node:path';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { bytesBelow, type Pair, pairsOf, writePlain } from './store-growth.ts';
import { inFolder } from './store-records.ts';

/** A session of so many steps in a peer's store, beside the same messages as bare lines with a sync a step. */
export type PeerGrowth = {
  steps: number;
  bytes: number;
  plainBytes: number;
  ms: number;
  floorMs: number;
  /** The pragma `synchronous` that the peer runs with; 2 would be a sync for every commit. */
  synchronous: number;
};

export type StorePeerJob = { seed: number; steps: number[] };

/** What the reducer of a graph takes as messages, and makes its own messages of. */
type Update = typeof MessagesAnnotation.Update;

/**
 * The smallest graph that does the work: one node whose every run adds the two messages of a step, so that there is one
 * checkpoint a step and none besides. Two nodes, one for the model and one for its tools, would have it write twice.
 */
async function runGraph(saver: SqliteSaver, pairs: readonly Pair[]): Promise<void> {
  let done = 0;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('step', () => {
      const messages = pairs[done] ?? [];
      done += 1;
      return { messages } as Update;
    })
    .addEdge(START, 'step')
    .addConditionalEdges('step', () => (done < pairs.length ? 'step' : END))
    .compile({ checkpointer: saver });
  const state = await graph.invoke(
    { messages: [] },
    { configurable: { thread_id: 'growing' }, durability: 'sync', recursionLimit: pairs.length + 10 },
  );
  if (state.messages.length !== 2 * pairs.length) throw new Error(`the graph has ${state.messages.length} messages`);
}

async function growPeer(seed: number, steps: number): Promise<PeerGrowth> {
  return inFolder(async (folder) => {
    const pairs = pairsOf(seed, steps);
    const plain = writePlain(join(folder, 'plain.jsonl'), pairs, 'strict');
    const saver = SqliteSaver.fromConnString(join(folder, 'checkpoints.db'));
    const started = performance.now();
    await runGraph(saver, pairs);
    const ms = performance.now() - started;
    const synchronous = Number(saver.db.pragma('synchronous', { simple: true }));
    saver.db.close();
    const bytes = bytesBelow(folder) - plain.bytes;
    return { steps, bytes, plainBytes: plain.bytes, ms, floorMs: plain.ms, synchronous };
  });
}

/** What LangGraph's checkpointer for SQLite makes of the session that the growth of our own is measured with. */
export async function measureStorePeer({ seed, steps }: StorePeerJob): Promise<PeerGrowth[]> {
  const grown: PeerGrowth[] = [];
  // A few steps first, so that loading and compiling is no part of what is measured.
  await growPeer(seed, 5);
  for (const count of steps) grown.push(await growPeer(seed, count));
  return grown;
}
