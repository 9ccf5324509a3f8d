import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEnvironment, encodeRecord, type Driver, type Durability, type Entry, type Lease } from '@rethread/store';
import { openFileOn } from '../packages/store/src/drivers/file.ts';
import { realFiles, type Files } from '../packages/store/src/drivers/file/files.ts';
import { createText } from './text.ts';

const at = '2026-01-02T03:04:05.678Z';
const environment = createEnvironment();

/** The bytes of one record, made anew for every append, as the layer above a driver does. */
export function entryOf(seq: number, data: unknown): Entry {
  const id = `01j${String(seq).padStart(22, '0')}`;
  return { seq, id, kind: 'message', bytes: encodeRecord({ seq, id, at, kind: 'message', data }) };
}

/** The same as a line of a plain log. */
export const lineOf = (seq: number, data: unknown): Buffer =>
  Buffer.concat([entryOf(seq, data).bytes, Buffer.from('\n')]);

export const openStore = (root: string, durability: Durability, files: Files = realFiles): Promise<Driver> =>
  openFileOn(files)(files === realFiles ? `file:${root}` : root, { environment, durability });

export type Writing = { readonly driver: Driver; readonly lease: Lease; seq: number };

export async function startSession(driver: Driver, session: string): Promise<Writing> {
  await driver.create(session, { createdAt: at, base: 0 });
  return { driver, lease: await driver.acquire(session, environment.owner(), 3_600_000), seq: 0 };
}

export async function appendData(writing: Writing, data: readonly unknown[]): Promise<void> {
  const { driver, lease, seq } = writing;
  const entries = data.map((each, index) => entryOf(seq + 1 + index, each));
  await driver.append({ entries, lease, expect: seq, info: { updatedAt: at } });
  writing.seq = seq + data.length;
}

/** Does something in a folder of its own on the disk that is measured, and removes it. */
export async function inFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-bench-'));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Short messages, in turns of a user, a call, its result and an answer. */
export function* lightMessages(seed: number): Generator<unknown, never> {
  const source = createText(seed);
  for (let turn = 0; ; turn += 1) {
    const call = `call_${turn}`;
    yield { role: 'user', content: source.text(source.between(20, 400)) };
    yield { role: 'assistant', content: [{ type: 'tool_use', id: call, name: 'read_file', input: { path: 'a.ts' } }] };
    const content = source.text(source.logUniform(100, 2_000));
    yield { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content }] };
    yield { role: 'assistant', content: source.text(source.between(40, 600)) };
  }
}

export type Rate = { perSecond: number; waits: readonly number[] };
/** Appends the record of a number, for one of several sessions, and resolves when it is acknowledged. */
export type Append = (session: number, number: number) => Promise<unknown>;
export type Contest = { readonly sessions: number; readonly appends: number; readonly append: Append };

/** Every session waits for its own acknowledgement before it appends again. */
async function timeContest({ sessions, appends, append }: Contest, round: number): Promise<Rate> {
  const waits: number[] = [];
  const each = Math.ceil(appends / sessions);
  const started = performance.now();
  await Promise.all(
    Array.from({ length: sessions }, async (_, session) => {
      for (let count = 1; count <= each; count += 1) {
        const asked = performance.now();
        await append(session, round * each + count);
        waits.push(performance.now() - asked);
      }
    }),
  );
  return { perSecond: (waits.length / (performance.now() - started)) * 1_000, waits };
}

/** The best round of each contest. They take turns; the first round warms the code and is not counted. */
export async function bestRates<Name extends string>(
  contests: Readonly<Record<Name, Contest>>,
  rounds: number,
): Promise<Record<Name, Rate>> {
  const best: Record<string, Rate> = {};
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, contest] of Object.entries<Contest>(contests)) {
      const rate = await timeContest(contest, round);
      if (round > 0 && rate.perSecond > (best[name]?.perSecond ?? 0)) best[name] = rate;
    }
  }
  return best;
}
