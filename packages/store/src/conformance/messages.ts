import assert from 'node:assert/strict';

import { encodeRecord } from '../record.ts';
import type { Session } from '../session.ts';
import { about, begin, type Claim, refused } from './world.ts';

const question = { role: 'user', content: 'look' };
const calling = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }] };

/** Messages that are appended and read in the wire format of a dialect. */
export const messages: readonly Claim[] = [
  [
    'messages come back as they were appended, and in another dialect if one is named',
    async (world) => {
      const session = await (await world.store()).create({ id: 's' });
      assert.deepEqual(await session.messages(), []);
      assert.equal((await session.appendMessage('anthropic-messages', question)).seq, 1);
      assert.equal((await session.appendMessage('anthropic-messages', calling, { op: 'x', expect: 1 })).seq, 2);
      assert.equal((await session.appendMessage('anthropic-messages', calling, { op: 'x' })).seq, 2);
      const later = await (await world.store()).session('s');
      assert.deepEqual(await later.messages(), [question, calling]);
      assert.deepEqual(await later.messages('anthropic-messages'), [question, calling]);
      const [, answer] = await later.messages('openai-chat');
      assert.match(JSON.stringify(answer), /"tool_calls":\[\{/);
      assert.equal((await later.project('openai-chat'))?.dialect, 'openai-chat');
    },
  ],
  [
    'a message in no known dialect, or without an object, is refused with the valid names',
    async (world) => {
      const session = await (await world.store()).create({ id: 's' });
      const append = (dialect: unknown, wire: unknown): Promise<unknown> =>
        session.appendMessage(dialect as 'openai-chat', wire as object);
      const typo = await refused(append('anthropic', question), 'unstorable');
      assert.match(typo.message, /unknown dialect "anthropic".*"anthropic-messages"/);
      for (const wire of [undefined, null, 'hello', [question]])
        await refused(append('openai-chat', wire), 'unstorable');
      const data = { dialect: 'anthropic-messages', message: question };
      const misnamed = await refused(session.append({ kind: 'message', data }), 'unstorable');
      assert.match(misnamed.message, /data\.wire/);
      const unknown = 'anthropic' as 'openai-chat';
      for (const read of [session.messages(unknown), session.project(unknown)]) await refused(read, 'unsupported');
      assert.equal((await session.info()).seq, 0);
    },
  ],
  [
    'a session recovers itself as its store does, and notes each repair once',
    async (world) => {
      const store = await world.store();
      const session = await store.create({ id: 's' });
      await session.append([question, calling].map((wire) => toRecord(wire)));
      const first = await session.recover('anthropic-messages');
      assert.ok(first.sendable !== undefined);
      assert.equal(first.audit.written, first.report.repairs.length);
      const again = await store.recoverSession('s', 'anthropic-messages');
      assert.deepEqual([again.sendable, again.audit.written], [first.sendable, 0]);
      assert.deepEqual(again.unread, []);
      await refused(session.recover('anthropic-messages', { audit: 'always' as 'never' }), 'unsupported');
    },
  ],
  [
    'messages and checkpoints in no known form are named, not skipped in silence',
    async (world) => {
      const session = await storedBefore(world, [
        toRecord(question),
        { kind: 'message', data: { dialect: 'anthropic', wire: question } },
        { kind: 'message', data: { dialect: 'anthropic-messages', message: question } },
        { kind: 'checkpoint', data: { from: 1, to: 2 } },
        { kind: 'note', data: 'anything' },
      ]);
      const { unread, sendable } = await session.recover('anthropic-messages');
      assert.ok(sendable !== undefined);
      assert.deepEqual(
        unread.map(({ seq, kind }) => `${seq} ${kind}`),
        ['2 message', '3 message', '4 checkpoint'],
      );
      for (const word of [/"anthropic"/, /data\.wire/, /summary/]) assert.ok(unread.some(({ why }) => word.test(why)));
    },
  ],
];

function toRecord(wire: unknown): { kind: string; data: unknown } {
  return { kind: 'message', data: { dialect: 'anthropic-messages', wire } };
}

type Given = { readonly kind: string; readonly data: unknown };

/** A session whose records were written by a version that did not validate them. */
async function storedBefore(world: Parameters<Claim[1]>[0], records: readonly Given[]): Promise<Session> {
  const driver = await world.driver();
  const lease = await begin(driver, 's');
  const entries = records.map(({ kind, data }, index) => {
    const [seq, id] = [index + 1, `id-${index}`];
    return { seq, id, kind, bytes: encodeRecord({ seq, id, at: about.createdAt, kind, data }), text: () => '' };
  });
  await driver.append({ entries, lease, expect: 0, info: { updatedAt: about.createdAt } });
  await driver.release(lease);
  return (await world.store()).session('s');
}
