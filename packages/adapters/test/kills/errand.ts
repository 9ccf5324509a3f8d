/** The tools of an errand, one per effect, all called at once in every round. */
export const TOOLS = { look: 'read', put: 'idempotent', pay: 'keyed', mail: 'once' } as const;

/** The input of a tool. The token names one call of one answer, whatever its id. */
export type Order = { readonly round: number; readonly token: string };

/** A call as the outside world sees it. */
export type Deed = Order & { readonly tool: string; readonly key: string };

export const ROUNDS = 2;
export const FAREWELL = 'Everything is done';

/** The result of a finished tool; no model can say it earlier. */
export const receiptOf = ({ round, token }: Order): string => `receipt of round-${round}: ${token}`;
