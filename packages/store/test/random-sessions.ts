import { type Session, type Store, StoreError } from '@rethread/store';

import { type Random, startRandom } from '../../core/test/fuzz/random.ts';
import { randomLog } from './random-log.ts';

type Step = (session: Session, random: Random, store: Store) => Promise<unknown>;

const someSeq = async (session: Session, random: Random): Promise<number> =>
  random.below((await session.info()).seq + 1);

/** Every public operation that reverts, covers or repairs. */
const steps: readonly Step[] = [
  async (session, random) => session.revert({ to: await someSeq(session, random) }),
  async (session) => session.unrevert(),
  async (session, random) => {
    const [one, two] = [await someSeq(session, random), await someSeq(session, random)];
    const [from, to] = [Math.min(one, two), Math.max(one, two)];
    return session.compact({ from, to, summary: `summary of ${from} to ${to}` });
  },
  async (session) => session.uncompact(),
  async (session, random) => session.pin(await someSeq(session, random)),
  async (session, _random, store) => store.recoverSession(session.id),
];

/** An empty step or an invalid message may be refused by name. */
async function attempt(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof StoreError && ['missing', 'unstorable'].includes(error.code))) throw error;
  }
}

/** A session of random messages and operations, with forks, recovered at the end. */
export async function randomSessions(store: Store, seed: number): Promise<readonly Session[]> {
  const random = startRandom(seed);
  const sessions = [await store.create({ id: `random ${seed}` })];
  const messages = randomLog(seed).records.filter(({ kind }) => kind === 'message' || kind.startsWith('call.'));
  for (const { kind, data } of messages) {
    const session = random.pick(sessions);
    await attempt(session.append({ kind, data }));
    if (random.chance(3)) await attempt(random.pick(steps)(session, random, store));
    if (random.chance(8)) sessions.push(await session.fork({ at: await someSeq(session, random) }));
  }
  for (const { id } of sessions) await store.recoverSession(id);
  return sessions;
}
