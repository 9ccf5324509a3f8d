import type { Session, SessionInfo, Store } from '@rethread/store';

import { Unreadable } from '../unreadable.ts';

const longestTitle = 60;

/** The session that was written to last; those that work for another one are resumed by it. */
async function newest(store: Store): Promise<SessionInfo> {
  let found: SessionInfo | undefined;
  for await (const info of store.list()) {
    if (info.parent !== undefined) continue;
    if (found === undefined || info.updatedAt > found.updatedAt) found = info;
  }
  if (found === undefined) throw new Unreadable(`there is no session in ${store.url} yet`);
  return found;
}

/** A session by its id, or the newest one as `last`. */
export async function findSession(store: Store, id: string): Promise<Session> {
  return store.session(id === 'last' ? (await newest(store)).id : id);
}

/** What a session is called by until somebody finds a better title. */
export function titleOf(firstWords: string): string {
  return [...firstWords.trim().replaceAll(/\s+/g, ' ')].slice(0, longestTitle).join('');
}

/** A note has no part in the history; this one says how the session was talked to. */
interface ChatNote {
  readonly about: 'chat';
  readonly model: string;
}

function isChatNote(data: unknown): data is ChatNote {
  return typeof data === 'object' && data !== null && 'about' in data && data.about === 'chat' && 'model' in data;
}

/** What the log says about how a session was left. */
export interface Left {
  /** The model that it was talked to with. */
  readonly model?: string;
  /** Whether a turn was begun and not brought to its end. */
  readonly unfinished: boolean;
}

/** Looks from the end, no further than it has to. */
export async function howLeft(session: Session): Promise<Left> {
  let state: unknown;
  for await (const { kind, data } of session.read({ backward: true })) {
    if (kind === 'state' && typeof data === 'object' && data !== null && 'state' in data) state ??= data.state;
    if (kind !== 'note' || !isChatNote(data) || typeof data.model !== 'string') continue;
    return { model: data.model, unfinished: isUnfinished(state) };
  }
  return { unfinished: isUnfinished(state) };
}

const isUnfinished = (state: unknown): boolean => state !== undefined && state !== 'complete' && state !== 'idle';

/** Notes the model, so that whoever resumes the session need not be told; once is enough. */
export async function noteModel(session: Session, model: string, left: Left): Promise<void> {
  if (left.model === model) return;
  const note: ChatNote = { about: 'chat', model };
  await session.append({ kind: 'note', data: note });
}
