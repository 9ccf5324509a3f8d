import assert from 'node:assert/strict';

import type { Driver, Lease, ListQuery, SessionInfo, Stored } from '../driver.ts';
import { type Claim, about, batch, begin, entry, gather, pause, refused, seqsOf, stranger, ttl } from './world.ts';

const long = 700;

async function longSession(driver: Driver): Promise<void> {
  const lease = await begin(driver, 's');
  for (let seq = 0; seq < long; seq += 100) await driver.append(batch(lease, seq, { count: 100 }));
  await driver.release(lease);
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

export const reading: readonly Claim[] = [
  [
    'records are read in both directions, within bounds and up to a limit',
    async (world) => {
      const driver = await world.driver();
      await longSession(driver);
      assert.deepEqual(await seqsOf(driver, 's'), upTo(1, long));
      assert.deepEqual(await seqsOf(driver, 's', { backward: true }), upTo(1, long).reverse());
      assert.deepEqual(await seqsOf(driver, 's', { after: 690 }), upTo(691, 700));
      assert.deepEqual(await seqsOf(driver, 's', { before: 4 }), [1, 2, 3]);
      assert.deepEqual(await seqsOf(driver, 's', { after: 10, before: 14 }), [11, 12, 13]);
      assert.deepEqual(await seqsOf(driver, 's', { after: 10, before: 14, backward: true }), [13, 12, 11]);
      assert.deepEqual(await seqsOf(driver, 's', { after: 300, limit: 3 }), [301, 302, 303]);
      assert.deepEqual(await seqsOf(driver, 's', { before: 300, backward: true, limit: 3 }), [299, 298, 297]);
      assert.deepEqual(await seqsOf(driver, 's', { backward: true, limit: 300 }), upTo(401, 700).reverse());
      assert.deepEqual(await seqsOf(driver, 's', { after: long }), []);
      assert.deepEqual(await seqsOf(driver, 's', { limit: 0 }), []);
    },
  ],
  [
    'a reader that stops early leaves nothing open',
    async (world) => {
      const driver = await world.driver();
      await longSession(driver);
      for (let round = 0; round < 50; round += 1) {
        for await (const some of driver.read('s', { backward: round % 2 === 0 })) {
          assert.ok(some.length > 0);
          break;
        }
      }
      assert.equal((await driver.head('s'))?.seq, long);
    },
  ],
  [
    'readers see complete batches only and never wait for a writer',
    async (world) => {
      const [writer, reader] = [await world.driver(), await world.driver()];
      const lease = await begin(writer, 's');
      const write = async (): Promise<void> => {
        for (let seq = 0; seq < 300; seq += 3) await writer.append(batch(lease, seq, { count: 3 }));
      };
      const writing = write();
      let [reads, length] = [0, 0];
      while (length < 300) {
        const seqs = await seqsOf(reader, 's');
        assert.deepEqual(seqs, upTo(1, seqs.length));
        assert.equal(seqs.length % 3, 0, 'read part of a batch');
        assert.ok(seqs.length >= length, 'records that were read before are gone');
        length = seqs.length;
        reads += 1;
        await pause(0);
      }
      await writing;
      assert.ok(reads > 0);
      assert.equal((await seqsOf(reader, 's')).length, 300);
    },
  ],
  [
    'a follower gets existing records, then new ones from any writer, until its signal aborts',
    async (world) => {
      const [writer, follower] = [await world.driver(), await world.driver()];
      const lease = await begin(writer, 's');
      await writer.append(batch(lease, 0, { count: 2 }));
      const stop = new AbortController();
      const seen: number[] = [];
      const follow = async (): Promise<void> => {
        for await (const some of follower.follow('s', { after: 1, signal: stop.signal })) {
          seen.push(...some.map(({ seq }) => seq));
          if (seen.at(-1) === 12) stop.abort();
        }
      };
      const following = follow();
      await pause(50);
      for (let seq = 2; seq < 12; seq += 2) await writer.append(batch(lease, seq, { count: 2 }));
      await following;
      assert.deepEqual(seen, upTo(2, 12));
    },
  ],
  [
    'a waiting follower ends when its signal aborts, its store closes or the session is erased',
    async (world) => {
      const [driver, other, third] = [await world.driver(), await world.driver(), await world.driver()];
      const lease = await begin(driver, 's');
      const [stop, never] = [new AbortController(), new AbortController()];
      const told = gather(driver.follow('s', { after: 0, signal: stop.signal }));
      const closed = gather(other.follow('s', { after: 0, signal: never.signal }));
      const erased = gather(third.follow('s', { after: 0, signal: never.signal })).catch(() => []);
      await pause(50);
      stop.abort();
      assert.deepEqual(await told, []);
      await other.close();
      assert.deepEqual(await closed, []);
      await driver.erase(lease);
      assert.deepEqual(await erased, []);
      await refused(gather(driver.follow('s', { after: 0, signal: never.signal })), 'missing');
    },
  ],
  [
    'a follower ends with its session, even if a new session takes the id first',
    async (world) => {
      const driver = await world.driver();
      const make = async (data: string, count: number): Promise<Lease> => {
        const lease = await begin(driver, 's');
        const entries = Array.from({ length: count }, (_, index) => entry(index + 1, data));
        await driver.append({ ...batch(lease, 0), entries });
        return lease;
      };
      for (const count of [4, 1]) {
        const first = await make('first', 2);
        const stop = new AbortController();
        const follow = (after: number): AsyncIterator<readonly Stored[]> =>
          driver.follow('s', { after, signal: stop.signal })[Symbol.asyncIterator]();
        const [seen, waiting] = [follow(0), follow(2)];
        assert.equal((await seen.next()).done, false);
        const waited = waiting.next();
        await pause(20);
        await driver.erase(first);
        const second = await make('second', count);
        const late = setTimeout(() => stop.abort(), 5_000);
        for (const next of [await seen.next(), await waited]) assert.deepEqual(next, { done: true, value: undefined });
        assert.equal(stop.signal.aborted, false);
        clearTimeout(late);
        await driver.erase(second);
      }
    },
  ],
  [
    'paged lists neither skip nor repeat a session',
    async (world) => {
      const driver = await world.driver();
      const ids = Array.from({ length: 23 }, (_, index) => `session ${(index * 7) % 23}`);
      for (const id of ids) await driver.create(id, about);
      const listed: string[] = [];
      for (;;) {
        const after = listed.at(-1);
        const page = await gather(driver.list({ limit: 5, ...(after === undefined ? {} : { after }) }));
        if (page.length === 0) break;
        assert.ok(page.length <= 5);
        listed.push(...page.map(({ id }) => id));
      }
      assert.deepEqual(listed.toSorted(), ids.toSorted());
      assert.deepEqual(
        (await gather(driver.list({}))).map(({ id }) => id),
        listed,
      );
    },
  ],
  [
    'a list entry shows the fixed properties and those of the newest batch',
    async (world) => {
      const driver = await world.driver();
      const title = 'a title \u0000 \ud800 "';
      await driver.create('source', { ...about, base: 4 });
      const listed = async (each: Driver, query: ListQuery): Promise<SessionInfo[]> =>
        (await gather(each.list(query))).filter(({ id }) => id !== 'source');
      await driver.create('child', { ...about, title, parent: 'mother', base: 4, fork: { from: 'source', at: 4 } });
      const lease = await driver.acquire('child', stranger('x'), ttl);
      const before = await driver.info('child');
      assert.deepEqual([before?.seq, before?.records, before?.bytes, before?.updatedAt], [4, 0, 0, about.createdAt]);
      const updatedAt = '2026-05-05T05:05:05.000Z';
      const entries = [entry(5), entry(6)];
      await driver.append({ entries, lease, expect: 4, info: { updatedAt, archived: true } });
      const expected: SessionInfo = {
        ...about,
        id: 'child',
        title,
        parent: 'mother',
        base: 4,
        fork: { from: 'source', at: 4 },
        updatedAt,
        seq: 6,
        records: 2,
        bytes: entries.reduce((sum, { bytes }) => sum + bytes.length, 0),
        archived: true,
      };
      assert.deepEqual(await driver.info('child'), expected);
      assert.deepEqual(await listed(await world.driver(), {}), [expected]);
      const none = [{ archived: false }, { parent: 'child' }, { forkOf: 'mother' }, { after: 'child' }];
      for (const query of none) assert.deepEqual(await listed(driver, query), []);
      const one = [{ archived: true }, { parent: 'mother' }, { forkOf: 'source' }];
      for (const query of one) assert.equal((await listed(driver, query)).length, 1);
    },
  ],
];
