import type { Proposal } from './edit.ts';
import type { RequestFacts } from './codec.ts';
import type { Fact, FactRecord } from './fact.ts';
import type { Loss, Severity } from './finding.ts';
import type { Message, Part } from './part.ts';
import type { Policy } from './policy.ts';
import type { Profile } from './profile.ts';
import type { Evidence } from './synthetic.ts';

export type Layer = 'structure' | 'message' | 'pair' | 'sequence';

/** The tools of the caller that a run of the assistant called. */
export type CalledBefore = {
  /** By the id of the call. */
  readonly tools: ReadonlyMap<string, string>;
  /** By the place of a result behind the run: the tool of the call that is as far from the first as the result is. */
  readonly toolOf: (at: { readonly message: number; readonly part: number }) => string | undefined;
};

/** What a rule sees of the history: the fact that woke it, and the messages around it, read on demand. */
export type Case = {
  readonly fact: FactRecord;
  readonly profile: Profile;
  readonly policy: Policy;
  readonly evidence: Evidence | undefined;
  /** The request around the list; undefined for a bare list. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly purpose: 'history' | 'request';
  readonly request: RequestFacts | undefined;
  /** The messages as they would be sent now. */
  readonly list: readonly unknown[];
  /** Number of messages. */
  readonly count: number;
  message(index: number): Message;
  /** True for the message the history ends with, unless another is sure to follow. */
  isLast(index: number): boolean;
  /** Whatever a patient reader makes of a message that the codec cannot read, entry by entry. */
  salvage(index: number): readonly Message[];
  /** The part the fact is about; undefined when it is about the message. */
  part(): Part | undefined;
  /** Call ids in the run of the assistant that holds this message, and how often tools of one family use them. */
  callsNear(index: number): ReadonlyMap<string, number>;
  /** The same for the step alone, which is what the provider takes for one answer, and for the caller's own tools. */
  callsOfStep(index: number): ReadonlyMap<string, number>;
  /** The messages of that step: the first, and the one behind the last. The same object for each of them. */
  stepAt(index: number): { readonly first: number; readonly end: number };
  /**
   * Places of the results between two steps, by what `pairKey` makes of each, in order: behind the step of this
   * message, or, where it is in none, all those that it stands among.
   */
  resultsAfter(index: number): ReadonlyMap<string, readonly { readonly message: number; readonly part: number }[]>;
  /**
   * True where results of unknown ids may be joined by position to the open calls of the step that holds this message:
   * no id among them is that of a call anywhere in the input, and no open call has a result of its own there.
   */
  joinsByPosition(index: number): boolean;
  /** The message that a run of messages of results follows; -1 where they begin the list. */
  answeredBy(index: number): number;
  /** What the assistant called in the run of its messages that stands before this message. */
  calledBefore(index: number): CalledBefore;
  /**
   * The id that no other call of its step has any more once this round is over, for the call the fact is about: one
   * that it is given where nothing answers it, or its own where all others that share it are given one.
   */
  newId(): string | undefined;
  /** True where a message of the user stands from the one index up to before the other. */
  userSpeaks(from: number, to: number): boolean;
};

/** A history before and after, or one that is fine; each generates tests and documentation. */
export type Example = {
  readonly name: string;
  readonly dialect: string;
  readonly model?: string;
  readonly profile?: Partial<Profile>;
  readonly options?: { readonly policy?: 'preserve' | 'discard'; readonly evidence?: Evidence; readonly next?: 'user' };
} & (
  | { readonly clean: unknown }
  | { readonly before: unknown; readonly after: unknown; readonly lifted?: unknown }
  /** Found, but nothing can be done about it here. */
  | { readonly before: unknown; readonly found: true }
);

/** One requirement of a provider. */
export type Rule = {
  readonly id: string;
  /** The breach, in a few words. */
  readonly title: string;
  readonly layer: Layer;
  readonly severity: Severity;
  /** Dialects in which no refusal is on record, or the breach is known to be taken. */
  readonly severityIn?: Readonly<Record<string, Severity>>;
  /** The most a repair by this rule can cost. */
  readonly loss: Loss;
  /** Rows of the contract page this rule rests on, by dialect. */
  readonly evidence: Readonly<Record<string, readonly string[]>>;
  readonly trigger: Fact;
  /** Why a history gets this way and what the provider does about it, in a few sentences. */
  readonly summary: string;
  /** For which models the rule holds; absent means all. */
  readonly applies?: (profile: Profile) => boolean;
  /** Decides where the fact alone does not. */
  readonly detect?: (found: Case) => boolean;
  readonly explain: (found: Case) => string;
  /** What the provider answers, by dialect or by `Profile.speaker`; undefined where its words are not on record. */
  readonly providerError?: Readonly<Record<string, (found: Case) => string | undefined>>;
  /** Absent when nothing in the history can be changed to help; the summary then says what a person should do. */
  readonly repair?: (found: Case) => Proposal | undefined;
  /** A function, because they are for tests and documentation only and need not be made on import. */
  readonly examples: () => readonly Example[];
};

/** What a provider enforces for one dialect: rules in the order in which they may change the history. */
export type Contract = {
  readonly dialect: string;
  readonly rules: readonly Rule[];
  /** The profile of a model; without a name the strict reading of everything. */
  profile(model: string | undefined): Profile;
};
