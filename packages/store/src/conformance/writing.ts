import assert from 'node:assert/strict';

import { type Claim, batch, begin, entry, refused, readAll, seqsOf, stranger, ttl } from './world.ts';

export const writing: readonly Claim[] = [
  [
    'a session is created once and starts empty',
    async (world) => {
      const driver = await world.driver();
      assert.equal(await driver.head('s'), undefined);
      assert.equal(await driver.info('s'), undefined);
      await begin(driver, 's');
      assert.equal((await driver.head('s'))?.seq, 0);
      assert.deepEqual(await seqsOf(driver, 's'), []);
      await refused(begin(driver, 's'), 'exists');
    },
  ],
  [
    'an unknown session is missing',
    async (world) => {
      const driver = await world.driver();
      await refused(driver.acquire('nobody', stranger('x'), ttl), 'missing');
      await refused(readAll(driver, 'nobody'), 'missing');
      await refused(driver.verify('nobody'), 'missing');
    },
  ],
  [
    'a batch is read back byte for byte, from other handles and after a restart',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const sent = batch(lease, 0, { count: 5 });
      assert.equal((await driver.append(sent)).seq, 5);
      const expected = sent.entries.map(({ bytes }) => Buffer.from(bytes).toString());
      const texts = async (from: typeof driver): Promise<string[]> =>
        (await readAll(from, 's')).map(({ bytes }) => Buffer.from(bytes).toString());
      assert.deepEqual(await texts(driver), expected);
      assert.deepEqual(await texts(await world.driver()), expected);
      await driver.close();
      assert.deepEqual(await texts(await world.driver()), expected);
    },
  ],
  [
    'a stored operation writes nothing again and resolves with its head',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const told = async (expect: number, more: { count: number; op?: string }): Promise<unknown[]> => {
        const { seq, again } = await driver.append(batch(lease, expect, more));
        return [seq, again];
      };
      assert.deepEqual(await told(0, { count: 2, op: 'first' }), [2, undefined]);
      assert.deepEqual(await told(2, { count: 3 }), [5, undefined]);
      assert.deepEqual(await told(0, { count: 2, op: 'first' }), [2, true]);
      assert.deepEqual(await told(5, { count: 2, op: 'first' }), [2, true]);
      assert.deepEqual(await seqsOf(driver, 's'), [1, 2, 3, 4, 5]);
    },
  ],
  [
    'operations are remembered by later processes and after other writers',
    async (world) => {
      const first = await world.driver();
      const lease = await begin(first, 's');
      for (let seq = 0; seq < 100; seq += 1) await first.append(batch(lease, seq, { op: `op ${seq}` }));
      await first.release(lease);
      await first.close();
      const second = await world.driver();
      const later = await second.acquire('s', stranger('second'), ttl);
      assert.equal((await second.append(batch(later, 100, { op: 'op 7' }))).seq, 8);
      assert.equal((await second.append(batch(lease, 7, { op: 'op 7' }))).seq, 8);
      assert.equal((await second.head('s'))?.seq, 100);
    },
  ],
  [
    'operation names may be any string and belong to one session',
    async (world) => {
      const driver = await world.driver();
      const [one, two] = [await begin(driver, 'one'), await begin(driver, 'two')];
      const op = 'a \u0000 b \ud800 ../\n"';
      assert.equal((await driver.append(batch(one, 0, { op }))).seq, 1);
      assert.equal((await driver.append(batch(two, 0, { op, count: 2 }))).seq, 2);
      assert.equal((await driver.append(batch(one, 1, { op }))).seq, 1);
      assert.equal((await driver.append(batch(one, 1, { op: `${op} ` }))).seq, 2);
    },
  ],
  [
    'a wrong expected head is a conflict that names the head, and nothing is written',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      await driver.append(batch(lease, 0, { count: 3 }));
      for (const expect of [0, 2, 4]) {
        const { details } = await refused(driver.append(batch(lease, expect)), 'conflict');
        assert.equal(details.head, 3);
      }
      assert.deepEqual(await seqsOf(driver, 's'), [1, 2, 3]);
      assert.equal((await driver.append(batch(lease, 3))).seq, 4);
    },
  ],
  [
    'batches sent without waiting are written in call order',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const heads = await Promise.all(
        Array.from({ length: 40 }, (_, index) => driver.append(batch(lease, index * 3, { count: 3 }))),
      );
      assert.deepEqual(
        heads.map(({ seq }) => seq),
        Array.from({ length: 40 }, (_, index) => (index + 1) * 3),
      );
      assert.equal((await seqsOf(driver, 's')).length, 120);
    },
  ],
  [
    'after a failed batch, the batches sent behind it fail too',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const outcomes = await Promise.allSettled([
        driver.append(batch(lease, 0)),
        driver.append(batch(lease, 5)),
        driver.append(batch(lease, 6)),
        driver.append(batch(lease, 7)),
      ]);
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'rejected'],
      );
      assert.deepEqual(await seqsOf(driver, 's'), [1]);
    },
  ],
  [
    'many sessions can be written at once',
    async (world) => {
      const driver = await world.driver();
      const names = Array.from({ length: 16 }, (_, index) => `session ${index}`);
      await Promise.all(
        names.map(async (name, index) => {
          const lease = await begin(driver, name);
          for (let seq = 0; seq < 10; seq += 1) {
            const more = { ...batch(lease, seq), entries: [entry(seq + 1, `${index} of many`)] };
            await driver.append(more);
          }
        }),
      );
      for (const [index, name] of names.entries()) {
        const stored = await readAll(await world.driver(), name);
        const expected = Array.from({ length: 10 }, (_, seq) => entry(seq + 1, `${index} of many`));
        assert.deepEqual(
          stored.map(({ bytes }) => Buffer.from(bytes).toString()),
          expected.map(({ bytes }) => Buffer.from(bytes).toString()),
        );
      }
    },
  ],
  [
    'a closed driver refuses every call with `closed`',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      await driver.close();
      await refused(driver.append(batch(lease, 0)), 'closed');
      await refused(driver.head('s'), 'closed');
      await refused(readAll(driver, 's'), 'closed');
    },
  ],
];
