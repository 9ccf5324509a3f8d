/** The limit of each step of a request. */
export type NetworkDeadlines = {
  /** Waiting for a free connection, if their number is limited. */
  readonly poolMs: number;
  /** DNS, connection and handshake. */
  readonly connectMs: number;
  /** Until the request is sent. */
  readonly writeMs: number;
  /** Until the response head, then between pieces of the body. */
  readonly readMs: number;
  /** The same without streaming: the head comes only when the model is done. */
  readonly wholeMs: number;
};

export const NETWORK_DEADLINES: NetworkDeadlines = {
  poolMs: 5_000,
  connectMs: 10_000,
  writeMs: 30_000,
  readMs: 60_000,
  wholeMs: 300_000,
};
