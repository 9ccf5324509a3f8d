import { Digest } from './digest.ts';
import type { Damage, Driver } from './driver.ts';
import { halfImported } from './refusals.ts';
import { infoOf, readLog, stretchesOf } from './log.ts';
import { decodeRecord } from './record.ts';
import { StoreError } from './store-error.ts';

/** A fault, and the session whose log has it: a fork also depends on its source. */
export type SessionDamage = Damage & { readonly session: string };

export type SessionVerdict = {
  readonly session: string;
  readonly ok: boolean;
  readonly seq: number;
  /** Readable records, including shared ones. */
  readonly records: number;
  readonly bytes: number;
  /** The digest of the whole log; absent if it is unreadable. */
  readonly digest?: string;
  readonly damages: readonly SessionDamage[];
};

/** Turns an error about damage into a finding; rethrows any other. */
function damageOf(error: unknown, session: string): SessionDamage {
  if (!(error instanceof StoreError) || !['damaged', 'missing'].includes(error.code)) throw error;
  // The session was erased while it was read, so there is nothing to report.
  if (error.code === 'missing' && error.details.session === session) throw error;
  return { kind: error.code, sentence: error.message, session };
}

/** The driver's findings for every log that the session depends on, even if one cannot be opened. */
async function driverDamages(driver: Driver, session: string): Promise<SessionDamage[]> {
  const damages: SessionDamage[] = [];
  try {
    for (const { session: each, upTo } of await stretchesOf(driver, session)) {
      const verdict = await driver.verify(each);
      for (const damage of verdict.damages) {
        // Damage behind the fork point does not affect the fork.
        if (damage.seq === undefined || damage.seq <= upTo) damages.push({ ...damage, session: each });
      }
    }
  } catch (error) {
    damages.push(damageOf(error, session));
  }
  return damages;
}

/** Checks everything that a session depends on and reports what is wrong instead of rejecting. */
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
        const sentence = `record ${number} has a valid checksum but is not a record of this program`;
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
