import { openFileOn } from '../../../src/drivers/file.ts';
import { type Files, realFiles } from '../../../src/drivers/file/files.ts';
import {
  type Driver,
  type Environment,
  type Lease,
  type Owner,
  StoreError,
  createEnvironment,
} from '../../../src/index.ts';

/** With an id that its folder name does not contain. */
export const id = 'Contested';
const at = '2026-11-18T06:00:00.000Z';
const long = 'a long text '.repeat(6_000);

const ownerOf = (name: string): Owner => ({ ...createEnvironment().owner(), id: name });

/** Opens a directory as a process with that name. */
export function openAs(
  place: string,
  name: string,
  how: Partial<Environment> & { files?: Files } = {},
): Promise<Driver> {
  const { files = realFiles, ...overrides } = how;
  const environment = createEnvironment({ owner: () => ownerOf(name), ...overrides });
  return openFileOn(files)(place, { environment, durability: 'os' });
}

export const create = (driver: Driver): Promise<void> =>
  driver.create(id, { createdAt: new Date().toISOString(), base: 0 });

export const take = (driver: Driver, name: string, ttlMs = 60_000): Promise<Lease> =>
  driver.acquire(id, ownerOf(name), ttlMs);

/** Appends records that name their writer; the last has a long string. Returns the new head. */
export async function write(driver: Driver, lease: Lease, count: number): Promise<number> {
  const { head } = lease;
  const by = lease.owner.id;
  for (let seq = head + 1; seq <= head + count; seq += 1) {
    const record = { v: 1, seq, id: `${by}-${seq}`, at, kind: 'note', data: seq === head + count ? long : by };
    const entry = { seq, id: record.id, kind: record.kind, bytes: Buffer.from(JSON.stringify(record)) };
    await driver.append({ entries: [entry], lease, expect: seq - 1, info: { updatedAt: at } });
  }
  return head + count;
}

export async function readIds(driver: Driver, backward = false): Promise<string[]> {
  const ids: string[] = [];
  for await (const records of driver.read(id, { backward })) {
    for (const { bytes } of records) ids.push((JSON.parse(Buffer.from(bytes).toString()) as { id: string }).id);
  }
  return backward ? ids.reverse() : ids;
}

/** The code of an expected refusal; the full message of any other error. */
export function codeOf(error: unknown): string {
  if (!(error instanceof StoreError)) return String(error);
  return ['missing', 'stale', 'conflict', 'exists'].includes(error.code)
    ? error.code
    : `${error.code}: ${error.message}`;
}

/** Files that count calls once armed, and run an action before one of them. */
export function stoppedFiles(stop: () => void): { files: Files; arm: (call: number) => void; calls: () => number } {
  let [calls, wanted, armed] = [0, 0, false];
  const count = (): void => {
    if (!armed) return;
    calls += 1;
    if (calls === wanted) stop();
  };
  const files = Object.fromEntries(
    Object.entries(realFiles).map(([name, action]) => [
      name,
      (...args: unknown[]): unknown => {
        count();
        return (action as (...all: unknown[]) => unknown)(...args);
      },
    ]),
  ) as unknown as Files;
  const arm = (call: number): void => {
    [wanted, armed] = [call, true];
  };
  return { files, arm, calls: () => calls };
}
