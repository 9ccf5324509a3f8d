/** How long each step of a request may take. */
export type NetworkDeadlines = {
  /** Waiting for one of the connections, where their number is limited. */
  readonly poolMs: number;
  /** Name, address and handshake. */
  readonly connectMs: number;
  /** Until the whole request is handed over. */
  readonly writeMs: number;
  /** Until the head of the response, and then from each piece of it to the next. */
  readonly readMs: number;
  /** The same where the answer is not streamed: its head comes only when the model is done. */
  readonly wholeMs: number;
};

export const NETWORK_DEADLINES: NetworkDeadlines = {
  poolMs: 5_000,
  connectMs: 10_000,
  writeMs: 30_000,
  readMs: 60_000,
  wholeMs: 300_000,
};
