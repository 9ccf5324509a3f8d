import assert from 'node:assert/strict';

import type { Driver } from '../driver.ts';
import { StoreError } from '../store-error.ts';
import { type Claim, about, batch, begin, pause, refused, seqsOf, stranger, ttl } from './world.ts';

const short = 40;

/** Retries until the lease is free, because some drivers use the clock of another machine. */
async function takeOver(driver: Driver, session: string, id: string): ReturnType<Driver['acquire']> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      return await driver.acquire(session, stranger(id), ttl);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'conflict') throw error;
      await pause(short);
    }
  }
  return assert.fail('the lease never expired');
}

export const leases: readonly Claim[] = [
  [
    'while one writer holds the lease, another is refused with the name of the holder',
    async (world) => {
      const [one, two] = [await world.driver(), await world.driver()];
      await begin(one, 's', stranger('one'));
      const { details, message } = await refused(two.acquire('s', stranger('two'), ttl), 'conflict');
      assert.equal(details.owner?.id, 'one');
      assert.match(message, /process 1 on/);
    },
  ],
  [
    'a released lease can be acquired at once, with a higher epoch',
    async (world) => {
      const [one, two] = [await world.driver(), await world.driver()];
      const lease = await begin(one, 's');
      await one.append(batch(lease, 0, { count: 2 }));
      await one.release(lease);
      const next = await two.acquire('s', stranger('two'), ttl);
      assert.ok(next.epoch > lease.epoch);
      assert.equal(next.head, 2);
      await one.release(lease);
      await refused(one.acquire('s', stranger('three'), ttl), 'conflict');
    },
  ],
  [
    'an expired lease can be acquired, and its old holder is fenced off for good',
    async (world) => {
      const [one, two] = [await world.driver(), await world.driver()];
      await one.create('s', about);
      const old = await one.acquire('s', stranger('one'), short);
      await one.append(batch(old, 0));
      const lease = await takeOver(two, 's', 'two');
      assert.equal(lease.head, 1);
      const { details } = await refused(one.append(batch(old, 1)), 'stale');
      assert.equal(details.owner?.id, 'two');
      await refused(one.renew(old, ttl), 'stale');
      await refused(one.erase(old), 'stale');
      assert.equal((await two.append(batch(lease, 1))).seq, 2);
      await refused(one.append(batch(old, 2)), 'stale');
      await one.release(old);
      assert.equal((await two.append(batch(lease, 2))).seq, 3);
      assert.deepEqual(await seqsOf(one, 's'), [1, 2, 3]);
    },
  ],
  [
    'an expired lease still writes and can be renewed until somebody else acquires it',
    async (world) => {
      const driver = await world.driver();
      await driver.create('s', about);
      const lease = await driver.acquire('s', stranger('one'), short);
      await pause(3 * short);
      assert.equal((await driver.append(batch(lease, 0))).seq, 1);
      const renewed = await driver.renew(lease, ttl);
      assert.equal(renewed.epoch, lease.epoch);
      await refused((await world.driver()).acquire('s', stranger('two'), ttl), 'conflict');
    },
  ],
  [
    'the same owner may acquire its lease again, which ends the first one',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const again = await driver.acquire('s', stranger('first'), ttl);
      assert.ok(again.epoch > lease.epoch);
      await refused(driver.append(batch(lease, 0)), 'stale');
      assert.equal((await driver.append(batch(again, 0))).seq, 1);
    },
  ],
  [
    'a writer of this machine that is proved dead blocks nobody',
    async (world) => {
      const driver = await world.driver();
      const { host, started } = world.environment.owner();
      // The pid is that of this process, but with another start time.
      const dead = { id: 'dead', host, pid: process.pid, started: started.replace(/\d$/, (digit) => `${digit}0`) };
      if (world.environment.alive(dead) !== false) return;
      await begin(driver, 's', dead);
      const lease = await driver.acquire('s', world.environment.owner(), ttl);
      assert.equal((await driver.append(batch(lease, 0))).seq, 1);
    },
  ],
  [
    'if many acquire a free lease at once, exactly one gets it',
    async (world) => {
      const driver = await world.driver();
      await driver.create('s', about);
      const drivers = await Promise.all(Array.from({ length: 6 }, () => world.driver()));
      const outcomes = await Promise.allSettled(
        drivers.map((each, index) => each.acquire('s', stranger(`owner ${index}`), ttl)),
      );
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') await refused(Promise.reject(outcome.reason as Error), 'conflict');
      }
    },
  ],
  [
    'a lease on an erased session is invalid for a new session with the same id',
    async (world) => {
      const driver = await world.driver();
      const old = await begin(driver, 's', stranger('one'));
      const eraser = await driver.acquire('s', stranger('one'), ttl);
      await driver.erase(eraser);
      const lease = await begin(driver, 's', stranger('two'));
      await refused(driver.append(batch({ ...old, epoch: lease.epoch }, 0)), 'stale');
      assert.equal((await driver.append(batch(lease, 0))).seq, 1);
    },
  ],
];
