import assert from 'node:assert/strict';

import type { Session } from '../session.ts';
import type { Store } from '../store.ts';
import { type Claim, gather, message, pause, refused } from './world.ts';

const textsOf = async (session: Session): Promise<string[]> => {
  const history = await session.project();
  return (history?.messages ?? []).flatMap(({ parts }) =>
    parts.map((part) => (part.kind === 'text' ? part.text : part.kind)),
  );
};

const say = async (session: Session, ...texts: readonly string[]): Promise<void> => {
  for (const [index, text] of texts.entries())
    await session.append(message(index % 2 === 0 ? 'user' : 'assistant', text));
};

async function chat(store: Store, id: string, ...texts: readonly string[]): Promise<Session> {
  const session = await store.create({ id });
  await say(session, ...texts);
  return session;
}

/** The public API above the driver. */
export const sessions: readonly Claim[] = [
  [
    'a revert can be undone, and so can a later one',
    async (world) => {
      const session = await chat(await world.store(), 's', 'one', 'two', 'three', 'four');
      await session.revert({ to: 2 });
      assert.deepEqual(await textsOf(session), ['one', 'two']);
      await session.append(message('user', 'other'));
      assert.deepEqual(await textsOf(session), ['one', 'two', 'other']);
      await session.unrevert();
      assert.deepEqual(await textsOf(session), ['one', 'two', 'three', 'four']);
      await session.revert({ to: 6 });
      assert.deepEqual(await textsOf(session), ['one', 'two', 'other']);
      await session.revert({ to: 0 });
      assert.deepEqual(await textsOf(session), []);
      await session.unrevert();
      assert.deepEqual(await textsOf(session), ['one', 'two', 'other']);
      assert.equal((await session.load()).length, 10);
      await refused(session.revert({ to: 11 }), 'missing');
      const fresh = await chat(await world.store(), 'fresh', 'one');
      await refused(fresh.unrevert(), 'missing');
    },
  ],
  [
    'a revert to a time returns to the last turn that had ended by then',
    async (world) => {
      const session = await chat(await world.store(), 's', 'one', 'two');
      await pause(5);
      await session.append(message('user', 'three'));
      await pause(5);
      const time = new Date(world.environment.now());
      await pause(5);
      await say(session, 'four');
      await session.revert({ to: time });
      assert.deepEqual(await textsOf(session), ['one', 'two', 'three']);
    },
  ],
  [
    'a compaction replaces its records and can be undone, also when it covers another',
    async (world) => {
      const session = await chat(await world.store(), 's', 'one', 'two', 'three', 'four', 'five');
      await session.compact({ from: 1, to: 2, summary: 'first summary' });
      assert.deepEqual(await textsOf(session), ['first summary', 'three', 'four', 'five']);
      await session.compact({ from: 1, to: 4, summary: 'second summary' });
      assert.deepEqual(await textsOf(session), ['second summary', 'five']);
      await session.pin(3);
      assert.deepEqual(await textsOf(session), ['second summary', 'three', 'five']);
      await session.unpin(3);
      await session.uncompact();
      assert.deepEqual(await textsOf(session), ['first summary', 'three', 'four', 'five']);
      await session.uncompact();
      assert.deepEqual(await textsOf(session), ['one', 'two', 'three', 'four', 'five']);
      await refused(session.uncompact(), 'missing');
      await refused(session.compact({ from: 1, to: 99, summary: '' }), 'missing');
    },
  ],
  [
    'a fork shares earlier records, and neither session sees later records of the other',
    async (world) => {
      const store = await world.store();
      const session = await chat(store, 'source', 'one', 'two', 'three');
      const fork = await session.fork({ id: 'fork', at: 2 });
      await session.append(message('assistant', 'four'));
      await say(fork, 'other');
      assert.deepEqual(await textsOf(fork), ['one', 'two', 'other']);
      assert.deepEqual(await textsOf(session), ['one', 'two', 'three', 'four']);
      const inner = await fork.fork({ id: 'inner' });
      const early = await fork.fork({ id: 'early', at: 1 });
      assert.deepEqual((await early.info()).fork, { from: 'source', at: 1 });
      await say(inner, 'inner');
      assert.deepEqual(await textsOf(inner), ['one', 'two', 'other', 'inner']);
      assert.deepEqual(
        (await inner.load()).map(({ seq }) => seq),
        [1, 2, 3, 4, 5, 6],
      );
      assert.deepEqual(
        (await inner.load({ backward: true, limit: 5 })).map(({ seq }) => seq),
        [6, 5, 4, 3, 2],
      );
      assert.deepEqual(
        (await inner.load({ after: 1, before: 5 })).map(({ seq }) => seq),
        [2, 3, 4],
      );
      assert.equal((await inner.info()).records, 2);
      await inner.revert({ to: 1 });
      assert.deepEqual(await textsOf(inner), ['one']);
      await refused(session.fork({ at: 99 }), 'missing');
      const { details } = await refused(session.erase(), 'conflict');
      assert.deepEqual(details.sessions?.toSorted(), ['early', 'fork']);
      const receipt = await session.erase({ forks: 'erase' });
      assert.deepEqual(receipt.forks.map((each) => each.session).toSorted(), ['early', 'fork']);
      assert.deepEqual(await gather(store.list()), []);
    },
  ],
  [
    'an import elsewhere has the same bytes and digest as the export, also for a fork',
    async (world) => {
      const store = await world.store();
      const session = await chat(store, 'source', 'one \u0000 \ud800', 'two');
      const three = [message('user', 'three'), { kind: 'from the future', data: { x: [] } }];
      await session.append(three, { op: 'once' });
      const fork = await session.fork({ id: 'fork' });
      await say(fork, 'four');
      await fork.rename('a title');
      await fork.archive();
      const elsewhere = await world.elsewhere();
      for (const each of [session, fork]) {
        const exported = await gather(each.export());
        const { digest, records } = await elsewhere.import(exported);
        const verdict = await each.verify();
        assert.deepEqual([verdict.digest, verdict.records, verdict.ok], [digest, records, true]);
        const there = await elsewhere.session(each.id);
        assert.equal((await there.verify()).digest, digest);
        assert.equal(Buffer.concat(await gather(there.export())).toString(), Buffer.concat(exported).toString());
      }
      const there = await elsewhere.session('source');
      assert.equal((await there.append(three, { op: 'once' })).seq, 4);
      await refused(there.append(message('user', 'three'), { op: 'once' }), 'reused');
      const { title, archived } = await (await elsewhere.session('fork')).info();
      assert.deepEqual([title, archived], ['a title', true]);
      await refused(elsewhere.import(await gather(session.export())), 'exists');
      assert.equal((await elsewhere.import(await gather(session.export()), { id: 'copy' })).id, 'copy');
    },
  ],
  [
    'a fork that repeats an operation name is imported completely, and so is a copy of it',
    async (world) => {
      const [store, elsewhere] = [await world.store(), await world.elsewhere()];
      const session = await store.create({ id: 'source' });
      for (const op of ['a', 'b']) await session.append({ kind: 'note', data: `source ${op}` }, { op });
      const fork = await session.fork({ id: 'fork' });
      // Enough operations that some batches are in flight at the first repeated name; the last batch is one too.
      const ops = ['a', ...Array.from({ length: 18 }, (_, index) => `${index}`), 'b'];
      for (const op of ops) await fork.append({ kind: 'note', data: `fork ${op}` }, { op });
      const { digest, records } = await elsewhere.import(fork.export());
      assert.deepEqual([(await fork.verify()).digest, (await fork.info()).seq], [digest, records]);
      const copy = await elsewhere.session('fork');
      assert.equal((await copy.verify()).digest, digest);
      assert.equal((await store.import(copy.export(), { id: 'copy' })).digest, digest);
      assert.equal((await copy.append({ kind: 'note', data: 'fork 0' }, { op: '0' })).seq, 5);
    },
  ],
  [
    'a damaged export imports nothing',
    async (world) => {
      const store = await world.store();
      const session = await chat(store, 's', 'one', 'two', 'three');
      const whole = Buffer.concat(await gather(session.export())).toString();
      const lines = whole.trimEnd().split('\n');
      const damaged = [
        lines.slice(0, -1).join('\n'),
        lines.with(2, (lines[2] ?? '').replace('two', 'tow')).join('\n'),
        lines.toSpliced(2, 1).join('\n'),
        lines.with(2, lines[1] ?? '').join('\n'),
        lines.with(2, '{"half": a').join('\n'),
        `${whole}${lines[1]}\n`,
        whole.slice(0, -40),
      ];
      const elsewhere = await world.elsewhere();
      for (const text of damaged) await refused(elsewhere.import(Buffer.from(text)), 'damaged');
      for (const text of ['', 'hello', '{}\n', '[]']) await refused(elsewhere.import(Buffer.from(text)), 'not-ours');
      assert.deepEqual(await gather(elsewhere.list()), []);
      assert.equal((await elsewhere.import(Buffer.from(whole))).records, 3);
    },
  ],
  [
    'records are found by words, ids and tool names, in one session or in all',
    async (world) => {
      const store = await world.store();
      const one = await chat(store, 'one', 'The quick brown fox', 'jumps over the lazy dog');
      await one.append(message('assistant', [{ type: 'tool_use', id: 'toolu_01Abc', name: 'read_file', input: {} }]));
      await chat(store, 'two', 'A quick answer, in Ünïcödé and 漢字');
      const found = async (text: string, session?: string): Promise<string[]> => {
        const options = session === undefined ? {} : { session };
        return (await gather(store.search(text, options))).map((each) => `${each.session} ${each.seq}`).toSorted();
      };
      assert.deepEqual(await found('quick'), ['one 1', 'two 1']);
      assert.deepEqual(await found('QUICK brown'), ['one 1']);
      assert.deepEqual(await found('quick', 'two'), ['two 1']);
      assert.deepEqual(await found('qui'), ['one 1', 'two 1']);
      assert.deepEqual(await found('uick'), []);
      assert.deepEqual(await found('toolu_01Abc'), ['one 3']);
      assert.deepEqual(await found('read_file'), ['one 3']);
      assert.deepEqual(await found('ünïcödé'), ['two 1']);
      assert.deepEqual(await found('漢字'), ['two 1']);
      for (const odd of ['', '  ', '"', "'; drop table records; --", '*', 'a OR b', 'NOT', '\u0000', '\ud800', '%']) {
        assert.ok(Array.isArray(await found(odd)), odd);
      }
      const [first] = await gather(store.search('brown', { limit: 1 }));
      assert.match(first?.snippet ?? '', /quick brown fox/);
      assert.equal((await gather(store.search('quick', { limit: 1 }))).length, 1);
    },
  ],
  [
    'erasing sessions during a search hides no other session',
    async (world) => {
      const store = await world.store();
      for (const id of ['a', 'b', 'c', 'd']) await chat(store, id, 'apple', 'apple');
      const found = new Set<string>();
      for await (const { session } of store.search('apple')) {
        if (found.size === 0) {
          for (const id of ['a', 'b', 'c', 'd']) {
            if (id !== session && id !== 'd') await (await store.session(id)).erase();
          }
        }
        found.add(session);
      }
      assert.equal(found.has('d'), true);
    },
  ],
  [
    'shared records are found in a fork too, and once in each requested session',
    async (world) => {
      const store = await world.store();
      const source = await chat(store, 'source', 'apple one', 'pear two', 'apple three');
      const fork = await source.fork({ id: 'fork', at: 2 });
      await say(fork, 'apple four');
      const inner = await fork.fork({ id: 'inner' });
      await say(inner, 'apple five');
      const found = async (session?: string, limit?: number): Promise<string[]> => {
        const options = { ...(session === undefined ? {} : { session }), ...(limit === undefined ? {} : { limit }) };
        return (await gather(store.search('apple', options))).map((each) => `${each.session} ${each.seq}`).toSorted();
      };
      assert.deepEqual(await found('source'), ['source 1', 'source 3']);
      assert.deepEqual(await found('fork'), ['fork 1', 'fork 4']);
      assert.deepEqual(await found('inner'), ['inner 1', 'inner 4', 'inner 6']);
      assert.deepEqual(await found('inner', 2), ['inner 1', 'inner 4']);
      assert.deepEqual(await found('inner', 0), []);
      const all = ['fork 4', 'inner 6', 'source 1', 'source 3'];
      assert.deepEqual(await found(), all);
    },
  ],
  [
    'a list after an empty id starts at the beginning',
    async (world) => {
      const store = await world.store();
      const ids = Array.from({ length: 12 }, (_, index) => `session ${index}`);
      for (const id of ids) await store.create({ id });
      const listed: string[] = [];
      for (let after = ''; ;) {
        const page = await gather(store.list({ after, limit: 5 }));
        if (page.length === 0) break;
        listed.push(...page.map(({ id }) => id));
        after = listed.at(-1) ?? '';
      }
      assert.deepEqual(listed.toSorted(), ids.toSorted());
    },
  ],
  [
    'archived sessions are listed only on request',
    async (world) => {
      const store = await world.store();
      const session = await chat(store, 's', 'one');
      await session.archive();
      const ids = async (archived?: boolean | 'any'): Promise<string[]> =>
        (await gather(store.list(archived === undefined ? {} : { archived }))).map(({ id }) => id);
      assert.deepEqual([await ids(), await ids(true), await ids('any')], [[], ['s'], ['s']]);
      await session.unarchive();
      assert.deepEqual([await ids(), await ids(true)], [['s'], []]);
    },
  ],
  [
    'an erasure returns a receipt with the digest and none of the content',
    async (world) => {
      const store = await world.store();
      const session = await chat(store, 's', 'one secret', 'two');
      const { digest } = await session.verify();
      const receipt = await session.erase();
      assert.deepEqual([receipt.session, receipt.records, receipt.digest], ['s', 2, digest]);
      assert.ok(!JSON.stringify(receipt).includes('secret'));
      await refused(store.session('s'), 'missing');
      await refused(session.append(message('user', 'again')), 'missing');
      const again = await chat(store, 's', 'new');
      assert.deepEqual(await textsOf(again), ['new']);
    },
  ],
];
