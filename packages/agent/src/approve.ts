import { isDeepStrictEqual } from 'node:util';

import type { SessionRecord } from '@rethread/core';
import type { Session } from '@rethread/store';

import { AgentError } from './agent-error.ts';
import { checkDecisions } from './check-options.ts';
import { within, type Limit } from './deadlines.ts';
import { noteRecord } from './log-records.ts';
import type { Settings } from './settings.ts';
import { type Standing, standingOf } from './standing.ts';

async function standingIn(session: Session, limit: Limit): Promise<Standing> {
  const records = await within(session.load(), limit);
  return standingOf(records as readonly SessionRecord[]);
}

type Named = { readonly callId: string; readonly tool: string };

/** Refuses a decision about an unknown call, which would never be read. */
function requireOpen(session: string, wanted: readonly string[], open: readonly Named[]): void {
  const names = new Map(open.map(({ callId, tool }) => [callId, `${JSON.stringify(callId)} (${tool})`]));
  const unknown = wanted.find((callId) => !names.has(callId));
  if (unknown === undefined) return;
  const there = names.size === 0 ? 'no call is waiting' : `open calls: ${[...names.values()].join(', ')}`;
  const sentence = `session ${JSON.stringify(session)} has no open call ${JSON.stringify(unknown)}: ${there}`;
  throw new AgentError('missing', sentence);
}

type Decisions = Readonly<Record<string, 'allow' | 'deny'>>;

/** Records decisions about calls, each in the session that made the call. */
export async function approve(settings: Settings, id: string, decisions: Decisions): Promise<void> {
  const { store, clock, deadlines, running } = settings;
  const limit = { clock, deadline: 'storeMs', ms: deadlines.storeMs } as const;
  const session = await within(store.session(id), limit);
  checkDecisions(decisions);
  const { asks, open } = await standingIn(session, limit);
  requireOpen(id, Object.keys(decisions), [...asks, ...open]);
  const notes = [];
  for (const [callId, decision] of Object.entries(decisions)) {
    const child = asks.find((ask) => ask.callId === callId)?.child;
    if (child === undefined) notes.push(noteRecord({ about: 'decision', callId, decision }));
    else {
      const now = (await standingIn(await within(store.session(child.session), limit), limit)).asks;
      // A later question of the child is a different one, even with the same id.
      const same = child.asks.filter((ask) => now.some((each) => isDeepStrictEqual(each, ask)));
      await approve(settings, child.session, Object.fromEntries(same.map((ask) => [ask.callId, decision])));
    }
  }
  if (notes.length === 0) return;
  await within(session.append(notes), limit);
  if (!running.has(id)) await within(session.close(), limit);
}
