import { open } from '@rethread/store';
import { expect, test } from 'vitest';

import { movesBetween } from '../../core/test/fuzz/attribution.ts';
import { BATCHES, cutHistory } from '../../core/test/fuzz/batches.ts';
import { seedAt, startRandom } from '../../core/test/fuzz/random.ts';

const seed = Number(process.env['RETHREAD_SEED'] ?? 20261119);
const sessions = 60;
const dialects = Object.keys(BATCHES) as (keyof typeof BATCHES)[];

test.each(dialects)('%s: a recovered session gives no result to another call against an id', async (dialect) => {
  const store = await open('memory:');
  for (let index = 0; index < sessions; index += 1) {
    const own = seedAt(seed, index);
    const messages = cutHistory(BATCHES[dialect], startRandom(own));
    const session = await store.create({ id: `cut ${own}` });
    for (const wire of messages) await session.append({ kind: 'message', data: { dialect, wire } });
    const { sendable } = await store.recoverSession(session.id);
    const wrong = movesBetween(messages, sendable?.wire).filter(({ wrong: why }) => why !== undefined);
    expect([own, messages.length === 0 || sendable !== undefined, wrong]).toEqual([own, true, []]);
  }
});
