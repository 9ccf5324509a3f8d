import { cuts, projectWithSources } from '@rethread/core';

import { keysOf, type StoredRecord, toSessionRecord } from './record.ts';

/** How many messages behind a place are looked at: what programs put before the words of a person goes with them. */
const NEAR = 16;

/** Whether a record is a part of the conversation, and not something about it. */
export const isTalk = ({ kind }: StoredRecord): boolean => kind === 'message' || kind === 'call.settled';

/**
 * Knows, while a log is read backward, where core would divide it. It keeps no more of what was read than the messages
 * near the place, and the ids of the results whose calls are still to come.
 */
export class Divider {
  #near: readonly StoredRecord[] = [];
  readonly #unmatched = new Set<string>();

  /** True while nothing of the conversation was read. */
  get isEmpty(): boolean {
    return this.#near.length === 0;
  }

  /** Takes the next record of the conversation, on the way back. */
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

  /** Whether the log may be divided between this record of the conversation and what was read already. */
  dividesBehind(record: StoredRecord): boolean {
    const [next] = this.#near;
    if (next === undefined) return true;
    if (next.kind !== 'message' || this.#unmatched.size > 0) return false;
    const history = projectWithSources([record, ...this.#near].map(toSessionRecord));
    if (history === undefined) return false;
    const place = history.sources.indexOf(next.seq);
    // The words of a program may stand before those of the system, and then they go with what follows.
    if (history.messages[place - 1]?.role === 'system') return false;
    return place > 0 && cuts(history).includes(place);
  }
}
