import type { Effect } from '@rethread/agent';

/** The tools of an errand, one for each effect; all of them are called side by side in every round. */
export const TOOLS: Readonly<Record<string, Effect>> = { look: 'read', put: 'idempotent', pay: 'keyed', mail: 'once' };

/** What a tool is given. The token names one call of one answer, whatever id the call has. */
export type Order = { readonly round: number; readonly token: string };

export const ROUNDS = 3;
export const FAREWELL = 'Everything is done, and this was the last word.';

export const inputOf = (session: string): string => `Run the errand ${session}.`;

/** What a tool says when it has done its work; no model can say it before. */
export const receiptOf = ({ round, token }: Order): string => `receipt of round-${round}: ${token}`;
