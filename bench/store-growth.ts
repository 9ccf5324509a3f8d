import { closeSync, fdatasyncSync, openSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { count, type Reading } from './measure.ts';
import { appendData, inFolder, lightMessages, lineOf, openStore, startSession } from './store-records.ts';

type Job = { seed: number; quick: boolean };
type Growth = { steps: number; bytes: number; plainBytes: number; ms: number; floorMs: number };
/** The two messages of a step. */
type Pair = readonly [unknown, unknown];

const kb = (bytes: number): number => bytes / 1_000;

/** What a session takes on the disk and in time, beside its JSON lines, and how both grow with its length. */
export async function measure({ seed, quick }: Job): Promise<Reading[]> {
  const strict = fastestOf([await grow(seed, 1_000, 'strict'), await grow(seed, 1_000, 'strict')]);
  const [small, large] = quick ? [1_000, 10_000] : [10_000, 100_000];
  const [short, long] = [await grow(seed, small, 'os'), await grow(seed, large, 'os')];
  // A few steps first, so that loading and compiling the peer is no part of what is measured.
  await growPeer(seed, 5);
  const peer = await growPeer(seed, quick ? 300 : 1_000);
  const on = (grown: Growth): string => `${count(grown.steps)} steps`;
  const bytes = [strict, short, long].map((grown): Reading => {
    const allowed = grown.plainBytes * 1.1 + 32 * 2 * grown.steps;
    return { target: 'logBytes', on: on(grown), ours: kb(grown.bytes), peer: kb(allowed) };
  });
  const aStep = ({ bytes: all, steps }: Growth): number => all / steps;
  const timeOver = ({ ms, floorMs }: Growth): number => ms / floorMs;
  return [
    ...bytes,
    { target: 'logTime', on: on(strict), ours: strict.ms, peer: strict.floorMs },
    { target: 'bytesGrowth', on: on(long), ours: aStep(long), peer: aStep(short) },
    { target: 'timeGrowth', on: `${on(long)}, no syncs`, ours: timeOver(long), peer: timeOver(short) },
    { target: 'langgraphBytes', on: on(peer), ours: kb(peer.bytes), peer: kb(peer.plainBytes) },
    { target: 'langgraphTime', on: on(peer), ours: peer.ms, peer: peer.floorMs },
  ];
}

/** Both times from the run in which each was lowest: a busy machine only ever adds. */
function fastestOf([first, second]: readonly [Growth, Growth]): Growth {
  return { ...first, ms: Math.min(first.ms, second.ms), floorMs: Math.min(first.floorMs, second.floorMs) };
}

function pairsOf(seed: number, steps: number): Pair[] {
  const messages = lightMessages(seed);
  return Array.from({ length: steps }, () => [messages.next().value, messages.next().value]);
}

/** One assistant's and one tool's message a step, in one batch; beside it, the same lines in a bare file. */
async function grow(seed: number, steps: number, durability: 'strict' | 'os'): Promise<Growth> {
  return inFolder(async (folder) => {
    const pairs = pairsOf(seed, steps);
    const root = join(folder, 'store');
    const driver = await openStore(root, durability);
    const writing = await startSession(driver, 'growing');
    const started = performance.now();
    for (const pair of pairs) await appendData(writing, pair);
    const ms = performance.now() - started;
    await driver.release(writing.lease);
    await driver.close();
    return { steps, ms, bytes: bytesBelow(root), ...writePlain(join(folder, 'plain.jsonl'), pairs, durability) };
  });
}

/** The bare lines of the same records, written a step at a time. */
function writePlain(
  path: string,
  pairs: readonly Pair[],
  durability: 'strict' | 'os',
): Pick<Growth, 'plainBytes' | 'floorMs'> {
  const file = openSync(path, 'a');
  const started = performance.now();
  let [plainBytes, seq] = [0, 0];
  for (const pair of pairs) {
    const bytes = Buffer.concat(pair.map((data) => lineOf((seq += 1), data)));
    writeSync(file, bytes);
    if (durability === 'strict') fdatasyncSync(file);
    plainBytes += bytes.length;
  }
  const floorMs = performance.now() - started;
  closeSync(file);
  return { plainBytes, floorMs };
}

const bytesBelow = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesBelow(path) : statSync(path).size);
  }, 0);

async function growPeer(seed: number, steps: number): Promise<Growth> {
  return inFolder(async (folder) => {
    const pairs = pairsOf(seed, steps);
    const plain = writePlain(join(folder, 'plain.jsonl'), pairs, 'strict');
    const saver = SqliteSaver.fromConnString(join(folder, 'checkpoints.db'));
    const started = performance.now();
    await runGraph(saver, pairs);
    const ms = performance.now() - started;
    saver.db.close();
    return { steps, ms, bytes: bytesBelow(folder) - plain.plainBytes, ...plain };
  });
}

/** One node whose every run adds the two messages of a step: there is one checkpoint a step, the least it can write. */
async function runGraph(saver: SqliteSaver, pairs: readonly Pair[]): Promise<void> {
  let done = 0;
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('step', () => ({ messages: pairs[done++] ?? [] }) as typeof MessagesAnnotation.Update)
    .addEdge(START, 'step')
    .addConditionalEdges('step', () => (done < pairs.length ? 'step' : END))
    .compile({ checkpointer: saver });
  const state = await graph.invoke(
    { messages: [] },
    { configurable: { thread_id: 'growing' }, durability: 'sync', recursionLimit: pairs.length + 10 },
  );
  if (state.messages.length !== 2 * pairs.length) throw new Error(`the graph has ${state.messages.length} messages`);
}
