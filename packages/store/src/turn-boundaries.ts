import { cuts, projectWithSources } from '@rethread/core';

import { keysOf, type StoredRecord, toSessionRecord } from './record.ts';

/** The number of later messages passed to core: text that programs insert before a user message belongs to its turn. */
const NEAR = 16;

/** Whether a record is part of the conversation rather than about it. */
export const isTalk = ({ kind }: StoredRecord): boolean => kind === 'message' || kind === 'call.settled';

/**
 * Finds the places where core would divide a log, while the log is read backward. It keeps only the messages near the
 * current place and the ids of results without a call so far.
 */
export class Divider {
  #near: readonly StoredRecord[] = [];
  readonly #unmatched = new Set<string>();

  get isEmpty(): boolean {
    return this.#near.length === 0;
  }

  /** Adds the next older record of the conversation. */
  add(record: StoredRecord): void {
    this.#near = [record, ...this.#near.slice(0, NEAR - 1)];
    const { callId } = keysOf(record);
    if (record.kind === 'call.settled' && typeof callId === 'string') this.#unmatched.add(callId);
    if (record.kind !== 'message') return;
    const parts = projectWithSources([toSessionRecord(record)])?.messages.flatMap((message) => message.parts) ?? [];
    for (const part of parts.toReversed()) {
      if (part.kind === 'result') this.#unmatched.add(part.callId);
      if (part.kind === 'call') this.#unmatched.delete(part.callId);
    }
  }

  /** Whether the log may be divided between this record and the newer ones already added. */
  dividesBehind(record: StoredRecord): boolean {
    const [next] = this.#near;
    if (next === undefined) return true;
    if (next.kind !== 'message' || this.#unmatched.size > 0) return false;
    const history = projectWithSources([record, ...this.#near].map(toSessionRecord));
    if (history === undefined) return false;
    const place = history.sources.indexOf(next.seq);
    // A program's text may precede the system message; then both belong to what follows.
    if (history.messages[place - 1]?.role === 'system') return false;
    return place > 0 && cuts(history).includes(place);
  }
}
