import { project, toWire } from '@rethread/core';
import type { NewRecord, Shorten } from '@rethread/store';

import type { Compaction } from './compaction.ts';
import { CoreCompaction } from './core-compaction.ts';
import type { Usage } from './model-port.ts';
import type { RunScope } from './run-scope.ts';

type Occasion = { readonly usage: Usage | undefined; readonly overflow: boolean };

type Noting = Compaction & { note?(): NewRecord | undefined };

/** Compacts the session if due. A run waits for it; a failure changes nothing. */
export async function shorten(run: RunScope, occasion: Occasion): Promise<boolean> {
  const { compaction: usual, rescue } = run.settings;
  const chosen = occasion.overflow ? rescue : usual;
  if (chosen === undefined) return false;
  const compaction: Noting = 'shorten' in chosen ? chosen : new CoreCompaction(run, chosen);
  try {
    if (!(await isDue(run, compaction, occasion))) return false;
    const seq = await compactInTime(run, compaction, occasion);
    if (seq !== undefined) run.emit({ kind: 'compacted', seq });
    return seq !== undefined;
  } catch (error) {
    run.signal.throwIfAborted();
    run.tell({ level: 'warn', event: 'compaction-failed', error: String(error) });
    return false;
  }
}

async function isDue(run: RunScope, compaction: Compaction, { usage, overflow }: Occasion): Promise<boolean> {
  if (overflow) return true;
  const { target } = run.settings.port;
  const history = project(await run.log.settled(), target.dialect);
  if (history === undefined) return false;
  return compaction.isDue({ messages: toWire(history), target, usage });
}

/** The number of the new record, if any. */
async function compactInTime(run: RunScope, compaction: Noting, occasion: Occasion): Promise<number | undefined> {
  const quit = new AbortController();
  const signal = AbortSignal.any([run.signal, quit.signal]);
  try {
    return await run.within(compact(run, compaction, { ...occasion, signal }), 'compactionMs', run.signal);
  } catch (error) {
    quit.abort(error);
    throw error;
  } finally {
    const note = run.signal.aborted ? undefined : compaction.note?.();
    if (note !== undefined) await run.log.append(note);
  }
}

type Attempt = Occasion & { readonly signal: AbortSignal };

async function compact(
  run: RunScope,
  compaction: Compaction,
  { overflow, signal }: Attempt,
): Promise<number | undefined> {
  const { target } = run.settings.port;
  const shortened: Shorten = async (messages, _, pins) => {
    const shorter = await compaction.shorten(messages, { target, signal, pins, overflow });
    // An abandoned compaction must not be recorded later.
    signal.throwIfAborted();
    return shorter;
  };
  const head = await run.log.session.compact(shortened, { dialect: target.dialect });
  return head?.seq;
}
