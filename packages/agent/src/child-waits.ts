import type { Ask } from './events.ts';

/** The outcome of a call whose child session has questions: no result yet. */
export class ChildWaits {
  readonly session: string;
  readonly asks: readonly Ask[];

  constructor(session: string, asks: readonly Ask[]) {
    this.session = session;
    this.asks = asks;
  }
}
