import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Notice, type Store, StoreError, open } from '@rethread/store';
import { afterAll, describe, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'rethread-damaged-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof StoreError ? error.code : String(error)),
  );

const logs = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('log.jsonl'));

/** A store with two sessions of five notes; one of them is damaged. */
async function damage(name: string, change: (log: string) => string): Promise<{ store: Store; notices: Notice[] }> {
  const root = join(folder, name);
  const store = await open(`file:${root}`);
  for (const id of ['hurt', 'sound']) {
    const session = await store.create({ id });
    for (let index = 1; index <= 5; index += 1) await session.append({ kind: 'note', data: `note ${index} of ${id}` });
  }
  await store.close();
  const path = join(root, logs(root).find((each) => each.includes('hurt')) ?? '');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
  const notices: Notice[] = [];
  return { store: await open(`file:${root}`, { onNotice: (notice) => notices.push(notice) }), notices };
}

const flip = (log: string): string => log.replace('note 3', 'nope 3');

test('an operation that lost a record to a salvage is still recognised by the others', async () => {
  const root = join(folder, 'operation');
  const store = await open(`file:${root}`);
  const session = await store.create({ id: 'hurt' });
  const notes = [1, 2, 3].map((index) => ({ kind: 'note', data: `note ${index}` }));
  await session.append(notes, { op: 'x' });
  await session.append({ kind: 'note', data: 'behind' });
  await store.close();
  const path = join(root, logs(root)[0] ?? '');
  writeFileSync(path, readFileSync(path, 'utf8').replace('note 2', 'nope 2'));
  const again = await open(`file:${root}`);
  const hurt = await again.session('hurt');
  await hurt.mend('salvage');
  expect((await hurt.load()).map(({ seq }) => seq)).toEqual([1, 3, 4]);
  expect((await hurt.append(notes, { op: 'x' })).seq).toBe(3);
  expect(await codeOf(hurt.append(notes.slice(0, 2), { op: 'x' }))).toBe('reused');
  expect(await codeOf(hurt.append(notes.toReversed(), { op: 'x' }))).toBe('reused');
  await again.close();
});

describe('a session with damage in the middle', () => {
  test('is reported and refused, and other sessions are not affected', async () => {
    const { store } = await damage('refused', flip);
    const session = await store.session('hurt');
    const read: unknown[] = [];
    const reading = async (): Promise<void> => {
      for await (const { data } of session.read()) read.push(data);
    };
    expect([await codeOf(reading()), read]).toEqual(['damaged', ['note 1 of hurt', 'note 2 of hurt']]);
    expect(await codeOf(session.append({ kind: 'note', data: 'more' }))).toBe('damaged');
    expect(await codeOf(store.recoverSession('hurt'))).toBe('damaged');
    const verdict = await session.verify();
    expect([verdict.ok, verdict.digest, verdict.damages[0]?.seq]).toEqual([false, undefined, 3]);
    const sound = await store.session('sound');
    expect([(await sound.verify()).ok, (await sound.append({ kind: 'note', data: 'more' })).seq]).toEqual([true, 6]);
    const ids: string[] = [];
    for await (const { id } of store.list()) ids.push(id);
    expect(ids.sort()).toEqual(['hurt', 'sound']);
    await store.close();
  });

  test('does not stop a search in the others, and a notice reports it', async () => {
    const { store, notices } = await damage('searched', flip);
    const found: string[] = [];
    for await (const { session, seq } of store.search('note 5')) found.push(`${session} ${seq}`);
    expect(found).toEqual(['sound 5']);
    expect(notices.map(({ kind, session }) => [kind, session])).toContainEqual(['search-incomplete', 'hurt']);
    await store.close();
  });

  test.each([
    ['prefix', [1, 2]],
    ['salvage', [1, 2, 4, 5]],
  ] as const)('is mended to its %s and continues from there', async (how, expected) => {
    const { store } = await damage(how, flip);
    const session = await store.session('hurt');
    await session.mend(how);
    expect((await session.load()).map(({ seq }) => seq)).toEqual(expected);
    const next = (expected.at(-1) ?? 0) + 1;
    expect((await session.append({ kind: 'note', data: 'more' })).seq).toBe(next);
    const { ok, digest } = await session.verify();
    expect(ok).toBe(true);
    const elsewhere = await open('memory:');
    expect((await elsewhere.import(session.export())).digest).toBe(digest);
    await store.close();
  });

  test('is not cut before records that a fork shares, and the fork keeps its sound records', async () => {
    const root = join(folder, 'forked');
    const first = await open(`file:${root}`);
    const source = await first.create({ id: 'hurt' });
    for (let index = 1; index <= 5; index += 1) await source.append({ kind: 'note', data: `note ${index} of hurt` });
    await source.fork({ id: 'late', at: 5 });
    await source.fork({ id: 'early', at: 2 });
    await first.close();
    const path = join(root, logs(root).find((each) => each.includes('hurt')) ?? '');
    writeFileSync(path, flip(readFileSync(path, 'utf8')));
    const store = await open(`file:${root}`);
    const session = await store.session('hurt');
    await expect(session.mend('prefix')).rejects.toMatchObject({ code: 'conflict', details: { sessions: ['late'] } });
    await session.mend('salvage');
    expect((await (await store.session('late')).load()).map(({ seq }) => seq)).toEqual([1, 2, 4, 5, 6]);
    expect((await (await store.session('early')).load()).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await store.close();
  });

  test.each([4, 5])('gives no new record a shared number of a fork, lost from %d on', async (lost) => {
    const root = join(folder, `numbers-${lost}`);
    const first = await open(`file:${root}`);
    const source = await first.create({ id: 'hurt' });
    for (let index = 1; index <= 5; index += 1) await source.append({ kind: 'note', data: `note ${index} of hurt` });
    await source.fork({ id: 'fork' });
    await first.close();
    const path = join(root, logs(root).find((each) => each.includes('hurt')) ?? '');
    const log = readFileSync(path, 'utf8');
    writeFileSync(path, log.slice(0, log.lastIndexOf('\n', log.indexOf(`note ${lost}`)) + 1));
    const store = await open(`file:${root}`);
    const session = await store.session('hurt');
    await session.mend('salvage');
    expect((await session.append({ kind: 'note', data: 'new' })).seq).toBe(6);
    const fork = await store.session('fork');
    const read = (await fork.load()).map(({ seq, data }) => [seq, data]);
    expect(read.slice(lost - 1)).toEqual([
      [5, { mended: 'record 5 was lost' }],
      [6, { from: 'hurt', at: 5 }],
    ]);
    for (const each of [session, fork]) expect((await each.verify()).damages).toEqual([]);
    await store.close();
  });

  test('without its log is reported by verify, and so is a fork that depends on it', async () => {
    const { store } = await damage('gone', (log) => log);
    await (await store.session('hurt')).fork({ id: 'fork' });
    await store.close();
    const root = join(folder, 'gone');
    rmSync(join(root, logs(root).find((each) => each.includes('hurt')) ?? ''));
    const again = await open(`file:${root}`);
    for (const id of ['hurt', 'fork']) {
      const { ok, digest, damages } = await (await again.session(id)).verify();
      expect([ok, digest, damages.map(({ sentence }) => sentence)]).toEqual([
        false,
        undefined,
        ['session "hurt": its log is gone'],
      ]);
    }
    await again.close();
  });

  test.each(['prefix', 'salvage'] as const)('without its log can be mended to an empty %s', async (how) => {
    const root = join(folder, `gone-${how}`);
    const { store } = await damage(`gone-${how}`, (log) => log);
    const { createdAt } = await (await store.session('hurt')).info();
    await store.close();
    rmSync(join(root, logs(root).find((each) => each.includes('hurt')) ?? ''));
    const again = await open(`file:${root}`);
    const session = await again.session('hurt');
    await expect(session.append({ kind: 'note', data: 'new' })).rejects.toThrow('session "hurt": its log is gone');
    expect((await session.verify()).damages.map(({ sentence }) => sentence)).toEqual([
      'the log is gone',
      expect.stringMatching(/^records 1 to \d+ are gone with the log$/),
    ]);
    expect((await session.mend(how)).damages).toEqual([]);
    await session.append({ kind: 'note', data: 'new' });
    expect((await session.load()).map(({ data }) => data)).toEqual(['new']);
    expect((await session.info()).createdAt).toBe(createdAt);
    expect((await session.verify()).damages).toEqual([]);
    await again.close();
  });

  test('without its log can be erased', async () => {
    const root = join(folder, 'gone-erased');
    const { store } = await damage('gone-erased', (log) => log);
    await store.close();
    rmSync(join(root, logs(root).find((each) => each.includes('hurt')) ?? ''));
    const again = await open(`file:${root}`);
    const { digest } = await (await again.session('hurt')).erase();
    expect(digest).toBeUndefined();
    expect(await codeOf(again.session('hurt'))).toBe('missing');
    expect(logs(root)).toHaveLength(1);
    await again.close();
  });

  test('is erased completely, although it is unreadable', async () => {
    const { store } = await damage('erased', flip);
    const receipt = await (await store.session('hurt')).erase();
    expect(receipt.digest).toBeUndefined();
    expect(await codeOf(store.session('hurt'))).toBe('missing');
    expect(logs(join(folder, 'erased'))).toHaveLength(1);
    await store.close();
  });
});

/** A session whose 20 notes are one batch, as from an import, with one of them damaged. */
async function damageBatch(name: string, hurt: number, behind = 0): Promise<{ store: Store; path: string }> {
  const root = join(folder, name);
  const store = await open(`file:${root}`);
  const session = await store.create({ id: 'hurt' });
  await session.append(Array.from({ length: 20 }, (_, index) => ({ kind: 'note', data: `note ${index + 1} of it` })));
  for (let index = 0; index < behind; index += 1) await session.append({ kind: 'note', data: 'behind' });
  await store.close();
  const path = join(root, logs(root)[0] ?? '');
  writeFileSync(path, readFileSync(path, 'utf8').replace(`note ${hurt} of`, `nope ${hurt} of`));
  return { store: await open(`file:${root}`), path };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('a complete batch with one damaged record', () => {
  // For the last record of the last batch, only the head note tells damage from a torn write.
  const cases = [
    [1, 0],
    [11, 0],
    [20, 0],
    [1, 2],
    [11, 2],
    [20, 2],
  ] as const;

  test.each(cases)(
    'returns the records before record %i, with %i behind it, and names the place',
    async (hurt, behind) => {
      const { store, path } = await damageBatch(`batch-${hurt}-${behind}`, hurt, behind);
      const session = await store.session('hurt');
      const read: number[] = [];
      const reading = async (): Promise<void> => {
        for await (const { seq } of session.read()) read.push(seq);
      };
      const error = await reading().catch((thrown: unknown) => thrown);
      expect(read).toEqual(upTo(hurt - 1));
      const offset = readFileSync(path).lastIndexOf('\n', readFileSync(path).indexOf(`nope ${hurt} of`)) + 1;
      expect(error instanceof StoreError && [error.code, error.details.seq, error.details.offset]).toEqual([
        'damaged',
        hurt,
        offset,
      ]);
      const { damages } = await session.verify();
      expect(damages.map((damage) => [damage.seq, damage.offset])).toEqual([[hurt, offset]]);
      const refused = await session.append({ kind: 'note', data: 'more' }).catch((thrown: unknown) => thrown);
      expect(refused instanceof StoreError && [refused.details.seq, refused.details.offset]).toEqual([hurt, offset]);
      // A reader that wants only sound records gets them.
      expect((await session.load({ before: hurt })).map(({ seq }) => seq)).toEqual(upTo(hurt - 1));
      const some = Math.min(3, hurt - 1);
      expect((await session.load({ limit: some })).map(({ seq }) => seq)).toEqual(upTo(some));
      await store.close();
    },
  );

  test.each(cases)('is mended: record %i, with %i behind it', async (hurt, behind) => {
    for (const how of ['prefix', 'salvage'] as const) {
      const { store } = await damageBatch(`batch-${how}-${hurt}-${behind}`, hurt, behind);
      const session = await store.session('hurt');
      expect((await session.mend(how)).damages).toEqual([]);
      const rest = how === 'prefix' ? [] : upTo(20 + behind).slice(hurt);
      const kept = [...upTo(hurt - 1), ...rest];
      expect((await session.load()).map(({ seq }) => seq)).toEqual(kept);
      expect((await session.append({ kind: 'note', data: 'more' })).seq).toBe((kept.at(-1) ?? 0) + 1);
      await store.close();
    }
  });

  test('is no torn write for its own store either', async () => {
    const root = join(folder, 'live');
    const store = await open(`file:${root}`, { durability: 'os' });
    const session = await store.create({ id: 'hurt' });
    await session.append(upTo(3).map((index) => ({ kind: 'note', data: `note ${index}` })));
    await session.load();
    const path = join(root, logs(root)[0] ?? '');
    const log = readFileSync(path, 'utf8');
    if (log.includes('note 3')) {
      writeFileSync(path, log.replace('note 3', 'nope 3'));
      expect(await codeOf(session.load())).toBe('damaged');
    }
    await store.close();
  });
});

test('a batch without its end is not returned in part', async () => {
  const { store, path } = await damageBatch('unwhole', 99);
  await store.close();
  const log = readFileSync(path, 'utf8');
  rmSync(join(path, '../head.json'), { force: true });
  rmSync(join(path, '../info.json'), { force: true });
  writeFileSync(path, log.slice(0, log.indexOf('note 15')));
  const again = await open(`file:${join(folder, 'unwhole')}`);
  const session = await again.session('hurt');
  expect(await session.load()).toEqual([]);
  await session.mend('salvage');
  expect(await session.load()).toEqual([]);
  await again.close();
});

test('a half-written tail is reported and quarantined, and costs no record', async () => {
  const { store, notices } = await damage('torn', (log) => `${log}["00000000ffffffff",6,90,{"v":1,"seq":6,"id`);
  const session = await store.session('hurt');
  expect((await session.load()).length).toBe(5);
  expect((await session.append({ kind: 'note', data: 'more' })).seq).toBe(6);
  expect(notices.map(({ kind, session: id }) => [kind, id])).toContainEqual(['torn-tail', 'hurt']);
  expect((await session.verify()).ok).toBe(true);
  await store.close();
});
