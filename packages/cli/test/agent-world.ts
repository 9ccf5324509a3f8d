import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { type Simulator, createSimulator } from '@rethread/simulator';
import { type NewRecord, type StoredRecord, open } from '@rethread/store';
import { afterEach } from 'vitest';

import { type Ended, type RunOptions, type Running, start } from './command.ts';

/** A simulator, a store and a working directory for one test. */
export interface World {
  readonly simulator: Simulator;
  readonly folder: string;
  readonly url: string;
  readonly start: (args: readonly string[], options?: RunOptions) => Running;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Ended>;
  /** All records of all sessions, as they are on disk now. */
  readonly records: () => Promise<readonly StoredRecord[]>;
  /** Waits until a record is stored that is wanted. */
  readonly stored: (wanted: (record: StoredRecord) => boolean) => Promise<void>;
  /** Writes a session as if somebody else had left it. */
  readonly leave: (id: string, records: readonly NewRecord[]) => Promise<void>;
}

const patienceMs = 20_000;
const running: Simulator[] = [];
afterEach(async () => {
  for (const simulator of running.splice(0)) await simulator.close();
});

/** Only what a test says about keys and addresses is in the environment of the command. */
const nothing = { ANTHROPIC_API_KEY: '', ANTHROPIC_AUTH_TOKEN: '', OPENAI_API_KEY: '', OPENAI_BASE_URL: '' };

export async function createWorld(parent: string): Promise<World> {
  const simulator = await createSimulator();
  running.push(simulator);
  const folder = mkdtempSync(join(parent, 'world-'));
  const url = `file:${join(folder, 'store')}`;
  const env = { ...nothing, RETHREAD_STORE: url, RETHREAD_MODEL: '', ANTHROPIC_BASE_URL: simulator.baseUrls.anthropic };
  const begin = (args: readonly string[], options: RunOptions = {}): Running =>
    start(args, { cwd: folder, ...options, env: { ...env, ...options.env } });
  const records = async (): Promise<readonly StoredRecord[]> => {
    const store = await open(url);
    const all: StoredRecord[] = [];
    for await (const { id } of store.list()) all.push(...(await (await store.session(id)).load()));
    await store.close();
    return all;
  };
  const stored: World['stored'] = async (wanted) => {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(30)) {
      if ((await records()).some(wanted)) return;
    }
    throw new Error('it was never stored');
  };
  const leave: World['leave'] = async (id, some) => {
    const store = await open(url);
    await (await store.create({ id })).append(some);
    await store.close();
  };
  return { simulator, folder, url, start: begin, run: (...args) => begin(...args).ended, records, stored, leave };
}

/** Whether something was shown, and therefore recorded, of an answer that is not whole. */
export const isShown = ({ kind, data }: StoredRecord): boolean =>
  kind === 'note' && (data as { about?: string }).about === 'shown';
