import { isDeepStrictEqual } from 'node:util';

import type { SessionRecord } from '@rethread/core';
import type { Session } from '@rethread/store';

import { within, type Limit } from './deadlines.ts';
import type { Ask } from './events.ts';
import { noteRecord } from './log-records.ts';
import type { Settings } from './settings.ts';
import { standingOf } from './standing.ts';

async function asksOf(session: Session, limit: Limit): Promise<readonly Ask[]> {
  const records = await within(session.load(), limit);
  return standingOf(records as readonly SessionRecord[]).asks;
}

type Decisions = Readonly<Record<string, 'allow' | 'deny'>>;

/** Records what somebody has decided about calls, each in the session that made the call. */
export async function approve(settings: Settings, id: string, decisions: Decisions): Promise<void> {
  const { store, clock, deadlines, running } = settings;
  const limit = { clock, deadline: 'storeMs', ms: deadlines.storeMs } as const;
  const session = await within(store.session(id), limit);
  const asks = await asksOf(session, limit);
  const notes = [];
  for (const [callId, decision] of Object.entries(decisions)) {
    const child = asks.find((ask) => ask.callId === callId)?.child;
    if (child === undefined) notes.push(noteRecord({ about: 'decision', callId, decision }));
    else {
      const now = await asksOf(await within(store.session(child.session), limit), limit);
      // What the child has come to ask since is another question, also where it has the same id.
      const same = child.asks.filter((ask) => now.some((each) => isDeepStrictEqual(each, ask)));
      await approve(settings, child.session, Object.fromEntries(same.map((ask) => [ask.callId, decision])));
    }
  }
  if (notes.length === 0) return;
  await within(session.append(notes), limit);
  if (!running.has(id)) await within(session.close(), limit);
}
