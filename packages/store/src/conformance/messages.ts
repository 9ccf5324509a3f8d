import assert from 'node:assert/strict';

import { about, begin, type Claim, entry, message, refused } from './world.ts';

const question = { role: 'user', content: 'look' };
const calling = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} }] };

/** Messages that are appended and read in the wire format of a dialect. */
export const messages: readonly Claim[] = [
  [
    'messages come back as they were appended, in another dialect if one is named, and ready to be sent',
    async (world) => {
      const session = await (await world.store()).create({ id: 's' });
      await session.appendMessage('anthropic-messages', question);
      for (const op of ['x', 'x']) await session.appendMessage('anthropic-messages', calling, { op });
      assert.deepEqual(await session.messages(), [question, calling]);
      assert.match(JSON.stringify(await session.messages('openai-chat')), /"tool_calls":\[\{/);
      assert.ok((await session.recover('anthropic-messages')).sendable !== undefined);
    },
  ],
  [
    'a message in no known dialect, or without an object, is refused with the valid names',
    async (world) => {
      const session = await (await world.store()).create({ id: 's' });
      const unknown = 'anthropic' as 'openai-chat';
      assert.match(
        (await refused(session.appendMessage(unknown, question), 'unstorable')).message,
        /"anthropic".*"anthropic-messages"/,
      );
      for (const wire of [undefined, null, 'hello', [question]] as object[]) {
        await refused(session.appendMessage('openai-chat', wire), 'unstorable');
      }
      for (const read of [session.messages(unknown), session.project(unknown)]) await refused(read, 'unsupported');
      assert.equal((await session.info()).seq, 0);
    },
  ],
  [
    'messages and checkpoints of older versions in no known form are named, not skipped in silence',
    async (world) => {
      const driver = await world.driver();
      const lease = await begin(driver, 's');
      const entries = [
        entry(1, message('user', 'look').data, 'message'),
        entry(2, { dialect: 'anthropic', wire: question }, 'message'),
        entry(3, { from: 1, to: 2 }, 'checkpoint'),
      ];
      await driver.append({ entries, lease, expect: 0, info: { updatedAt: about.createdAt } });
      await driver.release(lease);
      const { unread } = await (await world.store()).recoverSession('s', 'anthropic-messages');
      const told = unread.map(({ seq, why }) => `${seq} ${why}`).join('\n');
      assert.match(told, /^2 .*"anthropic".*\n3 .*summary/);
    },
  ],
];
