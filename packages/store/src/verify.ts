import { Digest } from './digest.ts';
import type { Damage, Driver } from './driver.ts';
import { halfImported } from './refusals.ts';
import { infoOf, readLog, stretchesOf } from './log.ts';
import { decodeRecord } from './record.ts';
import { StoreError } from './store-error.ts';

/** What is wrong with a session, and in whose log: a fork also rests on what it shares. */
export type SessionDamage = Damage & { readonly session: string };

export type SessionVerdict = {
  readonly session: string;
  readonly ok: boolean;
  /** The newest record. */
  readonly seq: number;
  /** Records that could be read, with those that a fork shares. */
  readonly records: number;
  readonly bytes: number;
  /** The digest of the whole log; absent when it cannot be read from end to end. */
  readonly digest?: string;
  readonly damages: readonly SessionDamage[];
};

/** An error that is told of a session as its damage; any other one is thrown. */
function damageOf(error: unknown, session: string): SessionDamage {
  if (!(error instanceof StoreError) || !['damaged', 'missing'].includes(error.code)) throw error;
  // Erased while it was read, so that there is nothing to be told of it.
  if (error.code === 'missing' && error.details.session === session) throw error;
  return { kind: error.code, sentence: error.message, session };
}

/** What the driver finds in every log that the session rests on, also where one of them cannot even be opened. */
async function driverDamages(driver: Driver, session: string): Promise<SessionDamage[]> {
  const damages: SessionDamage[] = [];
  try {
    for (const { session: each, upTo } of await stretchesOf(driver, session)) {
      const verdict = await driver.verify(each);
      for (const damage of verdict.damages) {
        // Damage behind the place where a fork began is none of its own.
        if (damage.seq === undefined || damage.seq <= upTo) damages.push({ ...damage, session: each });
      }
    }
  } catch (error) {
    damages.push(damageOf(error, session));
  }
  return damages;
}

/** Reads and proves everything that a session rests on; what is wrong is told, not thrown. */
export async function verifySession(driver: Driver, session: string): Promise<SessionVerdict> {
  const { importing } = await infoOf(driver, session);
  const damages = await driverDamages(driver, session);
  if (importing === true) {
    damages.push({ kind: 'half-imported', sentence: halfImported(session).message, session });
  }
  const digest = new Digest();
  let [seq, whole] = [0, true];
  try {
    for await (const some of readLog(driver, session, {})) {
      for (const { seq: number, bytes } of some) {
        digest.add(bytes);
        seq = number;
        if (decodeRecord(bytes)?.seq === number) continue;
        const sentence = `record ${number} is sound but is no record of this program`;
        damages.push({ kind: 'unreadable', sentence, session, seq: number });
      }
    }
  } catch (error) {
    const damage = damageOf(error, session);
    whole = false;
    if (damages.length === 0) damages.push(damage);
  }
  const { records, bytes } = digest;
  const ok = whole && damages.length === 0;
  return { session, ok, seq, records, bytes, ...(whole ? { digest: digest.end() } : {}), damages };
}
