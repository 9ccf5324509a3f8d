import assert from 'node:assert/strict';

import { type Claim, gather, message, pause, refused } from './world.ts';

const call = (id: string): { kind: string; data: unknown } =>
  message('assistant', [
    { type: 'text', text: 'let me look' },
    { type: 'tool_use', id, name: 'read_file', input: {} },
  ]);

const note = (data: unknown): { kind: string; data: unknown } => ({ kind: 'note', data });

/** Several processes, in sequence and at once. */
export const resuming: readonly Claim[] = [
  [
    'two stores never write at once, and the refusal names the writer',
    async (world) => {
      const [one, two] = [await world.store(), await world.store()];
      const first = await one.create({ id: 's' });
      await first.append(message('user', 'hello'));
      const second = await two.session('s');
      const { details } = await refused(second.append(message('user', 'me too')), 'conflict');
      assert.equal(details.owner?.pid, process.pid);
      assert.equal((await gather(second.read())).length, 1);
      await first.close();
      assert.equal((await second.append(message('user', 'now'))).seq, 2);
      await refused(first.append(message('user', 'and me')), 'conflict');
    },
  ],
  [
    'a conflict about the head names the head and no other writer',
    async (world) => {
      const store = await world.store();
      const session = await store.create({ id: 's' });
      await session.append(message('user', 'hello'));
      await session.append(message('user', 'and more'));
      const error = await refused(session.append(message('user', 'late'), { expect: 1 }), 'conflict');
      assert.deepEqual(error.details, { session: 's', head: 2, expected: 1 });
      assert.doesNotMatch(error.message, /process/);
      assert.equal((await session.append(message('user', 'again'), { expect: 2 })).seq, 3);
    },
  ],
  [
    'two handles of one store write in the order of the calls',
    async (world) => {
      const store = await world.store();
      const one = await store.create({ id: 's' });
      const two = await store.session('s');
      const heads = await Promise.all(
        Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? one : two).append({ kind: 'note', data: index })),
      );
      assert.deepEqual(
        heads.map(({ seq }) => seq),
        Array.from({ length: 30 }, (_, index) => index + 1),
      );
      assert.deepEqual(
        (await one.load()).map(({ data }) => data),
        Array.from({ length: 30 }, (_, index) => index),
      );
    },
  ],
  [
    'an append during close is written, and the handle stays usable',
    async (world) => {
      const store = await world.store();
      const session = await store.create({ id: 's' });
      for (let round = 0; round < 20; round += 1) {
        const first = session.append(note(round * 3));
        const closing = session.close();
        await first;
        const second = session.append(note(round * 3 + 1));
        await closing;
        await Promise.all([second, session.append(note(round * 3 + 2))]);
      }
      assert.deepEqual(
        (await session.load()).map(({ data }) => data),
        Array.from({ length: 60 }, (_, index) => index),
      );
    },
  ],
  [
    'an append repeated under one operation name is stored once, and later appends follow',
    async (world) => {
      const session = await (await world.store()).create({ id: 's' });
      const outcomes = await Promise.all([
        session.append({ kind: 'note', data: 'a' }, { op: 'x' }),
        session.append({ kind: 'note', data: 'a' }, { op: 'x' }),
        session.append({ kind: 'note', data: 'b' }),
        session.append([{ kind: 'note', data: 'a' }], { op: 'x', expect: 0 }),
        session.append({ kind: 'note', data: 'c' }),
      ]);
      assert.deepEqual(
        outcomes.map(({ seq }) => seq),
        [1, 1, 2, 1, 3],
      );
      assert.deepEqual(
        (await session.load()).map(({ data }) => data),
        ['a', 'b', 'c'],
      );
    },
  ],
  [
    'an operation name that belongs to other records is refused, and nothing is written',
    async (world) => {
      const session = await (await world.store()).create({ id: 's' });
      const [one, two] = [note({ n: 1 }), note({ n: 2 })];
      assert.equal((await session.append([one, two], { op: 'x' })).seq, 2);
      await session.append(note('between'));
      const others = [
        [one],
        [two],
        [two, one],
        [one, two, two],
        [one, note({ n: 3 })],
        [one, { ...two, kind: 'state' }],
      ];
      for (const records of others) {
        for (const expect of [{}, { expect: 0 }, { expect: 3 }]) {
          const { message: sentence, details } = await refused(
            session.append(records, { op: 'x', ...expect }),
            'reused',
          );
          assert.match(sentence, /operation "x"/);
          assert.equal(details.seq, 2);
        }
      }
      assert.equal((await session.append([one, two], { op: 'x' })).seq, 2);
      assert.equal((await session.append(note('after'))).seq, 4);
      assert.equal((await session.load()).length, 4);
    },
  ],
  [
    'a retry is recognised by its content, whoever makes it and however it is built',
    async (world) => {
      const first = await (await world.store()).create({ id: 's' });
      const given = { a: [1, { b: null }], text: 'x \u0000 \ud800', left: undefined, date: new Date(0) };
      assert.equal((await first.append([note(given), note(undefined)], { op: 'x' })).seq, 2);
      for (let index = 0; index < 3; index += 1) await first.append(note(index));
      await first.close();
      const later = await (await world.store()).session('s');
      const same = { date: given.date.toISOString(), text: given.text, a: [1, { b: null }] };
      assert.equal((await later.append([note(same), note(null)], { op: 'x' })).seq, 2);
      await refused(later.append([note({ ...same, a: [1] }), note(null)], { op: 'x' }), 'reused');
      assert.equal((await later.load()).length, 5);
    },
  ],
  [
    'a held lease is renewed',
    async (world) => {
      const [one, two] = [await world.store({ leaseMs: 300 }), await world.store()];
      const first = await one.create({ id: 's' });
      await first.append({ kind: 'note', data: 1 });
      await pause(700);
      await refused((await two.session('s')).append({ kind: 'note', data: 2 }), 'conflict');
      await first.append({ kind: 'note', data: 2 });
    },
  ],
  [
    'any process can recover a session, and each repair is noted once',
    async (world) => {
      const one = await world.store();
      const session = await one.create({ id: 's' });
      await session.append([message('user', 'look'), call('toolu_1'), message('user', 'go on')]);
      await one.close();
      const two = await world.store();
      const recovered = await two.recoverSession('s', 'anthropic-messages');
      assert.ok(recovered.sendable !== undefined);
      assert.ok(recovered.report.repairs.length > 0);
      assert.equal(recovered.audit.written, recovered.report.repairs.length);
      const notes = (await (await two.session('s')).load()).filter(({ kind }) => kind === 'repair');
      assert.equal(notes.length, recovered.audit.written);
      const data = JSON.stringify(notes[0]?.data);
      for (const word of ['"rule"', '"action"', '"why"', '"seq":'])
        assert.ok(data.includes(word), `${word} in ${data}`);
      const again = await two.recoverSession('s', 'anthropic-messages');
      assert.equal(again.audit.written, 0);
      assert.deepEqual(again.sendable, recovered.sendable);
      await (await two.session('s')).append([message('assistant', 'done'), message('user', 'thanks')]);
      assert.equal((await two.recoverSession('s', 'anthropic-messages')).audit.written, 0);
    },
  ],
  [
    'a session recovered for several targets at once notes each repair once, in one store or two',
    async (world) => {
      const [one, two] = [await world.store(), await world.store()];
      const session = await one.create({ id: 's' });
      await session.append([message('user', 'look'), call('toolu_1'), call('toolu_2'), message('user', 'go on')]);
      await session.close();
      const targets = ['anthropic-messages', 'mistral-chat', 'bedrock-converse', 'openai-chat'] as const;
      const recovering = targets.map((target) => one.recoverSession('s', target));
      recovering.push(...targets.map((target) => two.recoverSession('s', target)));
      const written = (await Promise.all(recovering)).reduce((sum, { audit }) => sum + audit.written, 0);
      for (const target of targets) await two.recoverSession('s', target);
      const notes = (await session.load())
        .filter(({ kind }) => kind === 'repair')
        .map(({ data }) => JSON.stringify(data));
      assert.equal(new Set(notes).size, notes.length);
      assert.equal(written > 0 && written <= notes.length, true);
    },
  ],
  [
    'a store without the lease recovers a session without writing notes',
    async (world) => {
      const [one, two] = [await world.store(), await world.store()];
      const session = await one.create({ id: 's' });
      await session.append([message('user', 'look'), call('toolu_1'), message('user', 'go on')]);
      const recovered = await two.recoverSession('s', 'anthropic-messages');
      assert.ok(recovered.sendable !== undefined);
      assert.equal(recovered.audit.written, 0);
      assert.equal(recovered.audit.owner?.pid, process.pid);
      assert.equal((await session.load()).length, 3);
    },
  ],
  [
    'a parent and its child are linked, and each is recovered separately',
    async (world) => {
      const store = await world.store();
      const parent = await store.create({ id: 'parent' });
      await parent.append([message('user', 'do it'), call('toolu_9')]);
      const child = await parent.delegate({ id: 'child', callId: 'toolu_9' });
      await child.append([message('user', 'a part of it'), call('toolu_c')]);
      assert.equal((await child.info()).parent, 'parent');
      await store.close();
      const later = await world.store();
      const [report] = (await later.recoverSession('parent', 'anthropic-messages')).children;
      assert.deepEqual([report?.id, report?.callId, report?.state], ['child', 'toolu_9', 'interrupted']);
      assert.equal(report?.partial, 'let me look');
      assert.deepEqual(report?.openCalls, [{ callId: 'toolu_c', tool: 'read_file' }]);
      assert.ok((await later.recoverSession('child', 'anthropic-messages')).sendable !== undefined);
      await (
        await later.session('child')
      ).append([
        message('user', [{ type: 'tool_result', tool_use_id: 'toolu_c', content: 'text' }]),
        message('assistant', 'the answer'),
      ]);
      const [answered] = await (await later.session('parent')).children();
      assert.deepEqual([answered?.state, answered?.partial], ['answered', 'the answer']);
      await (await later.session('child')).erase();
      assert.deepEqual(
        (await (await later.session('parent')).children()).map(({ state }) => state),
        ['missing'],
      );
      assert.ok((await later.recoverSession('parent', 'anthropic-messages')).sendable !== undefined);
    },
  ],
  [
    'pages go back turn by turn and never divide a turn',
    async (world) => {
      const session = await (await world.store()).create({ id: 's' });
      for (let turn = 0; turn < 6; turn += 1) {
        await session.append([
          message('user', `question ${turn}`),
          call(`toolu_${turn}`),
          message('user', [{ type: 'tool_result', tool_use_id: `toolu_${turn}`, content: 'text' }]),
          message('assistant', 'answer'),
        ]);
      }
      const pages: number[][] = [];
      let before: number | undefined;
      do {
        const page = await session.page({ minRecords: 6, ...(before === undefined ? {} : { before }) });
        pages.push(page.records.map(({ seq }) => seq));
        before = page.before;
      } while (before !== undefined);
      assert.deepEqual(
        pages.map((page) => [page[0], page.length]),
        [
          [17, 8],
          [9, 8],
          [1, 8],
        ],
      );
    },
  ],
  [
    'a follower of a fork gets shared records, then new ones',
    async (world) => {
      const store = await world.store();
      const source = await store.create({ id: 'source' });
      await source.append([message('user', 'one'), message('assistant', 'two')]);
      const fork = await source.fork({ id: 'fork' });
      const other = await (await world.store()).session('fork');
      const stop = new AbortController();
      const seen: string[] = [];
      const follow = async (): Promise<void> => {
        for await (const { seq, kind } of other.follow({ signal: stop.signal })) {
          seen.push(`${seq} ${kind}`);
          if (seq === 4) stop.abort();
        }
      };
      const following = follow();
      await pause(20);
      await fork.append({ kind: 'note', data: 'new' });
      await following;
      assert.deepEqual(seen, ['1 message', '2 message', '3 fork', '4 note']);
    },
  ],
];
