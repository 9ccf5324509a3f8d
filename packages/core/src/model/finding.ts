import type { Evidence } from './synthetic.ts';
import type { Policy } from './policy.ts';
import type { PrefixDigests } from './prefix-digest.ts';

/** How bad a breach is: refused by the provider, accepted but harmful, or merely a waste. */
export type Severity = 'rejected' | 'degraded' | 'wasteful';

/** What a repair costs: nothing, content we invent, or content we drop. */
export type Loss = 'none' | 'synthetic' | 'lossy';

/** What a repair did. */
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

/** A provider's refusal, as it was read. */
export type Refusal = {
  /** The provider's own words. */
  readonly text: string;
  /** False where nothing like it is on record; the history is then repaired as it would be without it. */
  readonly known: boolean;
  /** The rule that answers it; absent where no change of a history does. */
  readonly rule?: string;
  /** The row of the contract page that it belongs to. */
  readonly row?: string;
  /** The place that the text names. */
  readonly at?: At;
  /** One sentence on what was done about it, or what to do instead. */
  readonly note: string;
};

/** How a history left: accepted as it was, refused, with open calls, repaired, cut short, or only quoted. */
export type Verdict = 'clean' | 'broken' | 'waiting' | 'repaired' | 'salvaged' | 'emptied';

/** What was found in a history, and what was done about it. */
export type Report = {
  readonly verdict: Verdict;
  /** The dialect of the history; absent if it is unknown. */
  readonly dialect?: string;
  /** What is wrong with the input, in reading order. */
  readonly findings: readonly Finding[];
  /** Everything that was moved, invented or removed. */
  readonly repairs: readonly Repair[];
  /** How often the list was walked. */
  readonly passes: number;
  /** How much of the input's content is in the output. */
  readonly preserved: Preserved;
  /** One sentence on how to go on, when the verdict is not `clean`. */
  readonly next?: string;
  /** What was made of the refusal that was given with the history. */
  readonly refusal?: Refusal;
};

/** How a history is repaired. An invalid option is a finding, and its default is used. */
export type RepairOptions = {
  /** What to do with incomplete calls and messages: keep all that can be kept, or remove it (default: `preserve`). */
  readonly policy?: 'preserve' | 'discard' | Partial<Policy>;
  /** Whether calls at the end that may still be answered are closed or left open (default: `close`). */
  readonly open?: 'close' | 'leave';
  /** What is known about calls without a result, by call id (default: nothing). */
  readonly evidence?: Evidence;
  /** How often the list is walked at most (default: 10). */
  readonly maxPasses?: number;
  /** `user` if a user message will follow the history (default: nothing follows). */
  readonly next?: 'user';
  /** The provider's answer to this history: its text, its JSON, or the error of a client. What it names is mended. */
  readonly refusal?: unknown;
  /** Answers to earlier requests, the oldest first, of which each was sent with what the ones before it ask for. */
  readonly refusals?: readonly unknown[];
  /** What had been sent when a message came: reasoning bound to it stays while that is still what stands before it. */
  readonly prefixDigests?: PrefixDigests;
};
