import type { Evidence } from './synthetic.ts';
import type { Policy } from './policy.ts';

/** How bad a breach is: refused by the provider, accepted but harmful, or merely a waste. */
export type Severity = 'rejected' | 'degraded' | 'wasteful';

/** What a repair costs: nothing, content we invent, or content we drop. */
export type Loss = 'none' | 'synthetic' | 'lossy';

export type Action = 'relocate' | 'relink' | 'restore' | 'synthesize' | 'merge' | 'rewrite' | 'demote' | 'drop';

/** A place in the input as it was given; message -1 is the request as a whole. */
export type At = { readonly message: number; readonly part?: number; readonly pointer: string };

/** One located breach of one rule. */
export type Finding = {
  readonly rule: string;
  readonly severity: Severity;
  readonly at: At;
  readonly explain: string;
  /** What the provider would answer. */
  readonly providerError?: string;
};

/** One change made to answer a finding. */
export type Repair = {
  readonly rule: string;
  readonly at: At;
  readonly action: Action;
  readonly loss: Loss;
  readonly note: string;
};

/** Content of the input still in the output; text invented by us is not counted. */
export type Preserved = { readonly charactersIn: number; readonly charactersOut: number; readonly ratio: number };

export type Verdict = 'clean' | 'broken' | 'waiting' | 'repaired' | 'salvaged' | 'emptied';

export type Report = {
  readonly verdict: Verdict;
  readonly dialect?: string;
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
  readonly passes: number;
  readonly preserved: Preserved;
  /** One sentence on how to go on, when the verdict is not `clean`. */
  readonly next?: string;
};

export type RepairOptions = {
  readonly policy?: 'preserve' | 'discard' | Partial<Policy>;
  readonly open?: 'close' | 'leave';
  readonly evidence?: Evidence;
  readonly maxPasses?: number;
  readonly next?: 'user';
};
