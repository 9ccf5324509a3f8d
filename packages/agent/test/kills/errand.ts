import type { Effect } from '@rethread/agent';

/** The tools of an errand, one per effect, all called concurrently in every round. */
export const TOOLS: Readonly<Record<string, Effect>> = { look: 'read', put: 'idempotent', pay: 'keyed', mail: 'once' };

/** The input of a tool. The token names one call of one answer, whatever its id. */
export type Order = { readonly round: number; readonly token: string };

export const ROUNDS = 3;
export const FAREWELL = 'Everything is done, and this was the last word.';

export const inputOf = (session: string): string => `Run the errand ${session}.`;

/** The result of a finished tool; no model can say it earlier. */
export const receiptOf = ({ round, token }: Order): string => `receipt of round-${round}: ${token}`;
