import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Driver, Durability, Entry, Lease } from '../packages/store/src/driver.ts';
import { openFileOn } from '../packages/store/src/drivers/file.ts';
import { type Files, realFiles } from '../packages/store/src/drivers/file/files.ts';
import { createEnvironment } from '../packages/store/src/environment.ts';
import { encodeRecord } from '../packages/store/src/record.ts';
import { createText } from './text.ts';

export const at = '2026-01-02T03:04:05.678Z';
const environment = createEnvironment();

/** The bytes of one record, made anew for every append, as the layer above a driver does. */
export function entryOf(seq: number, data: unknown): Entry {
  const id = `01j${String(seq).padStart(22, '0')}`;
  return { seq, id, kind: 'message', bytes: encodeRecord({ seq, id, at, kind: 'message', data }) };
}

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

/** Messages of the light profile, in turns of a user, a call and its result. */
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
