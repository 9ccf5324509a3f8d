import type { Ask } from './events.ts';

/** What a call gives whose work rests: the session that works for it has questions, and the call has no result yet. */
export class ChildWaits {
  readonly session: string;
  readonly asks: readonly Ask[];

  constructor(session: string, asks: readonly Ask[]) {
    this.session = session;
    this.asks = asks;
  }
}
