/** One immutable item of a session's log. Kinds that a projection does not know are carried and change nothing. */
export type SessionRecord = {
  readonly v: 1;
  readonly seq: number;
  readonly id: string;
  readonly at: string;
} & (MessageRecord | SettledRecord | OtherRecord);

export type MessageRecord = {
  readonly kind: 'message';
  readonly data: { readonly dialect: string; readonly wire: unknown };
};

/** The result of a call, recorded when it ended. */
export type SettledRecord = {
  readonly kind: 'call.settled';
  readonly data: { readonly callId: string; readonly text: string; readonly error?: boolean };
};

export type OtherRecord = {
  readonly kind: 'call.started' | 'state' | 'checkpoint' | 'repair' | 'revert' | 'pin' | 'fork' | 'note';
  readonly data: unknown;
};
