import assert from 'node:assert/strict';

import type { Session } from '../session.ts';
import { StoreError } from '../store-error.ts';
import type { Store } from '../store.ts';
import { type Claim, about, batch, begin, gather, message, refused, seqsOf, stranger, ttl } from './world.ts';

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work;
    return 'done';
  } catch (error) {
    assert.ok(error instanceof StoreError, `expected a StoreError, not ${String(error)}`);
    return error.code;
  }
};

async function source(store: Store, id: string): Promise<Session> {
  const session = await store.create({ id });
  await session.append(message('user', 'shared'));
  return session;
}

/** Sessions appear and disappear atomically, whoever else is using them. */
export const ending: readonly Claim[] = [
  [
    'a fork of a missing session is refused, and so is erasing a session with forks',
    async (world) => {
      const [one, two] = [await world.driver(), await world.driver()];
      const fork = { ...about, base: 1, fork: { from: 'source', at: 1 } };
      const { details } = await refused(one.create('fork', fork), 'missing');
      assert.equal(details.session, 'source');
      assert.equal(await two.info('fork'), undefined);
      const lease = await begin(one, 'source');
      await one.append(batch(lease, 0));
      await two.create('fork', fork);
      const shared = await refused(one.erase(lease), 'conflict');
      assert.deepEqual(shared.details.sessions, ['fork']);
      assert.deepEqual(await seqsOf(two, 'source'), [1]);
      assert.equal((await one.append(batch(lease, 1))).seq, 2);
      await two.erase(await two.acquire('fork', stranger('first'), ttl));
      assert.equal((await one.erase(lease)).records, 2);
    },
  ],
  [
    'an acknowledged fork stays readable, whenever another store erases its source',
    async (world) => {
      const [one, two] = [await world.store(), await world.store()];
      const outcomes: string[] = [];
      for (let index = 0; index < 40; index += 1) {
        await (await source(one, `source-${index}`)).close();
        const [here, there] = [await one.session(`source-${index}`), await two.session(`source-${index}`)];
        const erased = codeOf(there.erase());
        for (let turn = 0; turn < (index % 20) * 4; turn += 1) await Promise.resolve();
        if (index >= 20) await new Promise((resolve) => void setTimeout(resolve, (index - 20) / 4));
        const forked = codeOf(here.fork({ id: `fork-${index}` }));
        outcomes.push(`erase ${await erased}, fork ${await forked}`);
        if ((await forked) === 'done') assert.equal((await (await two.session(`fork-${index}`)).load()).length, 2);
        else await refused(two.session(`fork-${index}`), 'missing');
      }
      assert.ok(!outcomes.includes('erase done, fork done'), outcomes.join('\n'));
    },
  ],
  [
    'an interrupted import is reported, accepts no record, and is replaced by the next import',
    async (world) => {
      const [driver, store] = [await world.driver(), await world.store()];
      const exported = await gather((await source(await world.elsewhere(), 's')).export());
      await driver.create('s', { ...about, importing: true });
      const lease = await driver.acquire('s', world.environment.owner(), ttl);
      await driver.append(batch(lease, 0, { count: 3 }));
      assert.equal(lease.importing, true);
      assert.deepEqual(
        (await gather((await world.driver()).list({}))).map(({ importing }) => importing),
        [true],
      );
      const session = await store.session('s');
      await refused(store.import(exported), 'conflict');
      await driver.release(lease);
      await refused(session.append(message('user', 'lost')), 'damaged');
      await refused(session.fork(), 'damaged');
      await refused(gather(session.export()), 'damaged');
      const verdict = await session.verify();
      assert.deepEqual([verdict.ok, verdict.damages.map(({ kind }) => kind)], [false, ['half-imported']]);
      await session.close();
      assert.equal((await store.import(exported)).records, 1);
      const whole = await store.session('s');
      assert.deepEqual([(await whole.info()).importing, (await whole.verify()).ok], [undefined, true]);
      assert.equal((await whole.append(message('assistant', 'on'))).seq, 2);
      await refused(store.import(exported), 'exists');
    },
  ],
  [
    'the last batch of an import completes it for every store, including ones opened later',
    async (world) => {
      const driver = await world.driver();
      await driver.create('s', { ...about, importing: true });
      const lease = await driver.acquire('s', stranger('first'), ttl);
      const last = batch(lease, 1);
      await driver.append(batch(lease, 0));
      await driver.append({ ...last, info: { ...last.info, imported: true } });
      for (const each of [driver, await world.driver()]) assert.equal((await each.info('s'))?.importing, undefined);
      await driver.release(lease);
      const [info] = await gather((await world.driver()).list({}));
      assert.deepEqual(info, { ...about, ...(await driver.info('s')) });
      assert.deepEqual(
        ['importing', 'imported'].filter((key) => key in (info ?? {})),
        [],
      );
    },
  ],
  [
    'of concurrent imports of one session, one succeeds and the others are refused',
    async (world) => {
      const [one, two] = [await world.store(), await world.store()];
      const exported = await gather((await source(await world.elsewhere(), 's')).export());
      const outcomes = await Promise.all([one, one, two].map((store) => codeOf(store.import(exported))));
      assert.equal(outcomes.filter((code) => code === 'done').length, 1, outcomes.join());
      assert.ok(
        outcomes.every((code) => ['done', 'exists', 'conflict'].includes(code)),
        outcomes.join(),
      );
      assert.equal((await (await two.session('s')).verify()).ok, true);
    },
  ],
  [
    'an export without records is imported as a complete session',
    async (world) => {
      const session = await (await world.elsewhere()).create({ id: 's', title: 'nothing yet' });
      const store = await world.store();
      assert.equal((await store.import(await gather(session.export()))).records, 0);
      assert.equal((await (await store.session('s')).append(message('user', 'one'))).seq, 1);
    },
  ],
];
