import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import type { Driver, Lease } from '../../src/driver.ts';
import { openFile } from '../../src/drivers/file.ts';
import { nameOf } from '../../src/drivers/file/layout.ts';
import { createEnvironment } from '../../src/environment.ts';
import { StoreError } from '../../src/store-error.ts';
import { batchOf, entryOf, textsOf } from './torture/world.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-hostile-'));
afterAll(() => rmSync(around, { recursive: true }));

const environment = createEnvironment();
const about = { createdAt: '2026-01-02T03:04:05.678Z', base: 0 };
let stores = 0;

const openAt = (root: string): Promise<Driver> => openFile(`file:${root}`, { environment, durability: 'strict' });

async function newStore(): Promise<{ root: string; driver: Driver }> {
  stores += 1;
  const root = join(around, `store-${stores}`, 'inside');
  return { root, driver: await openAt(root) };
}

async function begin(driver: Driver, session: string): Promise<Lease> {
  await driver.create(session, about);
  return driver.acquire(session, environment.owner(), 60_000);
}

const everyPath = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? [path, ...everyPath(path)] : [path];
  });

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

const hostileIds = [
  '',
  '.',
  '..',
  '../outside',
  '../../../../etc/passwd',
  '/etc/passwd',
  'a/b',
  'a\\b',
  '..\\..\\b',
  'C:\\x',
  '%2e%2e%2f',
  'a\u0000b',
  '\u0000',
  'CON',
  'nul',
  'aux.txt',
  'trailing.',
  'trailing ',
  ' leading',
  'Case',
  'case',
  'CASE',
  '\u00e9',
  'e\u0301',
  '\ud800',
  '\udfff',
  '\ufffd',
  'x'.repeat(63),
  'x'.repeat(4_096),
  '-dash-',
  's-case',
  'h-case',
  '.new-x',
  '.erased-x',
  '~',
  '$(touch x)',
  '\n',
  '🧵',
];

describe('ids that want out', () => {
  test('every id has its own plainly named folder inside the directory', async () => {
    const { root, driver } = await newStore();
    const outside = everyPath(around).filter((path) => !path.startsWith(root));
    for (const id of hostileIds) {
      const lease = await begin(driver, id);
      await driver.append(batchOf(lease, [entryOf(1, `of ${JSON.stringify(id)}`)]));
    }
    const listed: string[] = [];
    for await (const { id, damaged } of driver.list({})) {
      expect(damaged).toBeUndefined();
      listed.push(id);
    }
    expect(listed.toSorted()).toEqual(hostileIds.toSorted());
    for (const id of hostileIds) {
      for await (const records of driver.read(id, {})) {
        expect(textsOf(records)).toEqual(textsOf([entryOf(1, `of ${JSON.stringify(id)}`)]));
      }
    }
    await driver.close();
    expect(everyPath(around).filter((path) => !path.startsWith(root))).toEqual(outside);
    const names = readdirSync(join(root, 'sessions'));
    expect(names.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(hostileIds.length);
  });

  test('two thousand generated ids have two thousand names', () => {
    const parts = ['../', '..', '/', '\\', '%2e', '\u0000', 'A', 'a', '.', ' ', 'é', 'e\u0301', 'CON'];
    const ids = new Set(
      Array.from({ length: 4_000 }, (_, index) => {
        const length = 1 + (index % 7);
        return Array.from(
          { length },
          (_x, place) => parts[(index * 31 + place * place * 7 + index) % parts.length],
        ).join(index % 3 === 0 ? '' : String(index));
      }),
    );
    expect(ids.size).toBeGreaterThan(2_000);
    const names = [...ids].map(nameOf);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.size);
    expect(names.filter((name) => !/^[a-z0-9-]{3,80}$/.test(name))).toEqual([]);
  });
});

describe('planted files', () => {
  /** Every file of a closed store, and the folders that contain them. */
  async function filled(): Promise<{ root: string; paths: string[] }> {
    const { root, driver } = await newStore();
    const lease = await begin(driver, 'victim');
    await driver.append(batchOf(lease, [entryOf(1, 'x'.repeat(70_000))]));
    await driver.release(lease);
    await driver.close();
    return { root, paths: everyPath(root).map((path) => relative(root, path)) };
  }

  async function useAll(root: string): Promise<string> {
    return codeOf(
      (async () => {
        const driver = await openAt(root);
        try {
          for await (const each of driver.list({})) void each;
          for await (const records of driver.read('victim', {})) void records;
          const lease = await driver.acquire('victim', environment.owner(), 60_000);
          const head = await driver.head('victim');
          await driver.append({ ...batchOf(lease, [entryOf((head?.seq ?? 0) + 1, 'more')]) });
          await driver.verify('victim');
        } finally {
          await driver.close();
        }
      })(),
    );
  }

  test('a link in place of any file or folder is not followed, and its target is untouched', async () => {
    const { paths } = await filled();
    for (const index of paths.keys()) {
      const { root, paths: names } = await filled();
      const target = join(root, names[index] ?? '');
      if (!existing(target)) continue;
      const decoy = join(around, `decoy-${stores}`);
      const isFolder = lstatSync(target).isDirectory();
      renameSync(target, decoy);
      symlinkSync(decoy, target);
      const before = isFolder ? everyPath(decoy).length : readFileSync(decoy).toString('base64');
      await useAll(root);
      const after = isFolder ? everyPath(decoy).length : readFileSync(decoy).toString('base64');
      expect([names[index], after]).toEqual([names[index], before]);
    }
  });

  test('a pipe in place of any file blocks nobody', async () => {
    const { paths } = await filled();
    for (const index of paths.keys()) {
      const { root, paths: names } = await filled();
      const target = join(root, names[index] ?? '');
      if (!existing(target) || lstatSync(target).isDirectory()) continue;
      unlinkSync(target);
      expect(spawnSync('mkfifo', [target]).status).toBe(0);
      await useAll(root);
    }
  }, 60_000);

  const existing = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
});

describe('whose directory it is', () => {
  test('a directory with other contents is refused, and nothing is written to it', async () => {
    const root = join(around, 'photographs');
    mkdirSync(root);
    writeFileSync(join(root, 'holiday.jpg'), 'not ours');
    expect(await codeOf(openAt(root))).toBe('not-ours');
    expect(readdirSync(root)).toEqual(['holiday.jpg']);
  });

  test('a file in place of the directory is refused', async () => {
    const root = join(around, 'a-file');
    writeFileSync(root, 'not ours');
    expect(['unsafe', 'io']).toContain(await codeOf(openAt(root)));
    expect(readFileSync(root, 'utf8')).toBe('not ours');
  });

  test('a log copied to another session is refused by name', async () => {
    const { root, driver } = await newStore();
    const lease = await begin(driver, 'one');
    await driver.append(batchOf(lease, [entryOf(1, 'of one')]));
    await begin(driver, 'two');
    await driver.close();
    const copy = readFileSync(join(root, 'sessions/s-one/log.jsonl'));
    writeFileSync(join(root, 'sessions/s-two/log.jsonl'), copy);
    const again = await openAt(root);
    expect(await codeOf(again.head('two'))).toBe('not-ours');
    await again.close();
  });
});

test.each([0o000, 0o022, 0o077])('with umask %o, every file is 0600 and every folder 0700', async (mask) => {
  const old = process.umask(mask);
  try {
    const { root, driver } = await newStore();
    const lease = await begin(driver, 'private');
    await driver.append(batchOf(lease, [entryOf(1, 'y'.repeat(80_000))]));
    const paths = everyPath(root);
    await driver.mend?.(lease, 'salvage');
    paths.push(...everyPath(root));
    await driver.release(lease);
    await driver.close();
    paths.push(root, ...everyPath(root));
    for (const path of paths) {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats === undefined) continue;
      expect([path, (stats.mode & 0o777).toString(8)]).toEqual([path, stats.isDirectory() ? '700' : '600']);
    }
  } finally {
    process.umask(old);
  }
});

const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test('a full disk is reported, loses nothing, and works again once there is room', async (context) => {
  const disk = join(around, 'small-disk');
  mkdirSync(disk);
  const mounted = canMount && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', disk]).status === 0;
  context.skip(!mounted, 'only root can mount a small disk');
  try {
    const root = join(disk, 'store');
    const driver = await openAt(root);
    const lease = await begin(driver, 'full');
    const ballast = join(root, 'sessions', '.ballast');
    writeFileSync(ballast, Buffer.alloc(100_000));
    let [seq, refusals] = [0, 0];
    for (let round = 0; round < 400 && refusals < 5; round += 1) {
      const code = await codeOf(driver.append(batchOf(lease, [entryOf(seq + 1, 'z'.repeat(3_000))])));
      if (code === 'done') seq += 1;
      else {
        expect(code).toBe('full');
        refusals += 1;
      }
    }
    expect(refusals).toBe(5);
    unlinkSync(ballast);
    expect(await codeOf(driver.append(batchOf(lease, [entryOf(seq + 1, 'there is room again')])))).toBe('done');
    await driver.close();
    const again = await openAt(root);
    let found = 0;
    for await (const records of again.read('full', {})) found += records.length;
    expect(found).toBe(seq + 1);
    expect((await again.verify('full')).damages).toEqual([]);
    await again.close();
  } finally {
    spawnSync('umount', ['-l', disk]);
  }
});
