import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, describe, expect, test } from 'vitest';

import { openFileOn } from '../../src/drivers/file.ts';
import { type Files, realFiles } from '../../src/drivers/file/files.ts';
import { type Store, createEnvironment, open } from '../../src/index.ts';

const around = mkdtempSync(join(tmpdir(), 'rethread-beside-'));
afterAll(() => rmSync(around, { recursive: true }));

let places = 0;
const newPlace = (): string => join(around, `place-${(places += 1)}`);
const note = (data: unknown): { kind: string; data: unknown } => ({ kind: 'note', data });
const openAt = (place: string): Promise<Store> => open(`file:${place}`, { durability: 'os' });

/** Every file below a folder that contains a word. */
const filesWith = (folder: string, word: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && readFileSync(join(each.parentPath, each.name)).includes(word))
    .map(({ name }) => name);

describe('the journal of a live process', () => {
  const secret = 'frotzsecret';

  test('is removed with its records soon after another process erases the session', async () => {
    const place = newPlace();
    const [one, two] = [await openAt(place), await openAt(place)];
    const [told, kept] = [await one.create({ id: 'told' }), await one.create({ id: 'kept' })];
    await told.append(note(secret));
    await kept.append(note('one'));
    await told.close();
    expect(filesWith(place, secret).some((name) => name.endsWith('.journal'))).toBe(true);
    const { remains, records } = await (await two.session('told')).erase();
    expect([records, remains, filesWith(place, secret)]).toEqual([1, undefined, []]);
    await kept.append(note('two'));
    expect((await kept.load()).map(({ data }) => data)).toEqual(['one', 'two']);
    await one.close();
    await two.close();
  });

  test('is named in the receipt if that process does not respond, and is removed at its next write', async () => {
    const place = newPlace();
    // A stopped process has no timers.
    const environment = { after: () => () => undefined };
    const one = await open(`file:${place}`, { durability: 'os', environment });
    const notices: string[] = [];
    const two = await open(`file:${place}`, { durability: 'os', onNotice: ({ kind }) => void notices.push(kind) });
    const [told, kept] = [await one.create({ id: 'told' }), await one.create({ id: 'kept' })];
    await told.append(note(secret));
    await told.close();
    const { remains = [] } = await (await two.session('told')).erase();
    expect(remains).toEqual([expect.stringContaining(`of process ${process.pid} on`)]);
    expect(notices).toContain('erasure-unfinished');
    expect(filesWith(place, secret)).toEqual([expect.stringMatching(/\.journal$/)]);
    await kept.append(note('one'));
    await kept.append(note('two'));
    await kept.append(note('three'));
    await new Promise((resolve) => void setTimeout(resolve, 50));
    expect(filesWith(place, secret)).toEqual([]);
    expect((await kept.load()).map(({ data }) => data)).toEqual(['one', 'two', 'three']);
    await one.close();
    await two.close();
  });
});

describe('a list', () => {
  test('reads only the end of a log that another process is writing', async () => {
    const place = newPlace();
    const read = new Map<string, number>();
    const paths = new Map<number, string>();
    const counting: Files = {
      ...realFiles,
      open: (path, how) => {
        const file = realFiles.open(path, how);
        paths.set(file, path);
        return file;
      },
      read: (file, into, at) => {
        const count = realFiles.read(file, into, at);
        const path = paths.get(file) ?? '';
        read.set(path, (read.get(path) ?? 0) + count);
        return count;
      },
    };
    const writer = await openAt(place);
    const session = await writer.create({ id: 'long' });
    for (let turn = 0; turn < 300; turn += 1) await session.append(note(`${turn} ${'z'.repeat(40_000)}`));
    const log = join(place, 'sessions', 's-long', 'log.jsonl');
    expect(statSync(log).size).toBeGreaterThan(12_000_000);
    const reader = await openFileOn(counting)(place, { environment: createEnvironment(), durability: 'os' });
    for await (const info of reader.list({})) expect(info).toEqual(await session.info());
    expect(read.get(log) ?? 0).toBeLessThan(700_000);
    await reader.close();
    await writer.close();
  });
});
