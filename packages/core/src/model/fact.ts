/**
 * What a walk may notice. Local facts come from the codec's reader, pair and order facts from the walk itself;
 * a rule names the fact that wakes it.
 */
export type Fact =
  // one message or part cannot be read
  | 'message-unreadable'
  | 'role-foreign'
  | 'content-unreadable'
  | 'part-unreadable'
  | 'part-in-wrong-role'
  // one message or part is refused by itself
  | 'value-unserialisable'
  | 'lone-surrogate'
  | 'extra-key'
  | 'empty-message'
  | 'blank-text'
  | 'cache-marker'
  | 'image'
  | 'reasoning-unsigned'
  | 'reasoning-last'
  | 'reasoning-not-first'
  | 'call-input-malformed'
  | 'call-id-malformed'
  | 'call-name-malformed'
  | 'result-name-missing'
  | 'call-type-missing'
  | 'call-unlisted'
  | 'content-hollow'
  | 'calls-empty'
  | 'result-content-refused'
  | 'result-not-object'
  | 'data-twice'
  | 'signature-corrupted'
  | 'result-output-malformed'
  | 'output-preliminary'
  | 'result-media-refused'
  | 'part-refused'
  | 'results-mixed'
  | 'content-list'
  | 'tool-refused'
  | 'reasoning-field-missing'
  | 'reasoning-field-refused'
  | 'result-name-malformed'
  | 'prefix-set'
  | 'result-status-refused'
  | 'null-content'
  | 'system-refused'
  | 'server-call-id-malformed'
  | 'toolset-call'
  | 'item-id-malformed'
  | 'item-incomplete'
  | 'item-lost'
  | 'output-malformed'
  | 'part-mistagged'
  | 'reasoning-malformed'
  // told to the walk alone: this result is one that we invented
  | 'placeholder'
  // told to the walk alone: ids of the next call or result are matched among tools of this family only
  | 'tool-family'
  // pairs
  | 'call-open'
  | 'call-open-again'
  | 'call-id-again'
  | 'result-unknown'
  | 'result-displaced'
  | 'result-early'
  | 'result-misnamed'
  | 'result-again'
  | 'content-after-call'
  | 'call-out-of-turn'
  | 'call-unsigned'
  | 'retry-prompt'
  | 'approval'
  | 'server-call-open'
  | 'server-result-unknown'
  // sequence
  | 'no-messages'
  | 'first-not-user'
  | 'same-role'
  | 'system-first'
  | 'system-later'
  | 'system-misplaced'
  | 'system-empty'
  | 'item-id-again'
  | 'reasoning-unfollowed'
  | 'trigger-not-last'
  | 'ends-with-assistant'
  | 'ends-with-user'
  | 'ends-with-system'
  | 'user-after-tool'
  // the request around the list
  | 'tools-undeclared'
  | 'server-tool-undeclared'
  | 'tool-reference-undeclared'
  | 'reasoning-missing'
  | 'field-unserialisable'
  | 'instruction-malformed'
  | 'too-many-messages'
  | 'too-many-tools'
  | 'request-too-large'
  | 'prompt-too-long'
  // set by the doctor itself, never by a walk
  | 'prefix-changed';

/** A name, or several names, that belong to a fact. */
export type Detail = string | readonly string[];

/** One fact at one place, with what the rules need to answer it. Always all of the keys, so that V8 sees one shape. */
export type FactRecord = {
  readonly fact: Fact;
  readonly message: number;
  /** Undefined when the fact is about the message as a whole. */
  readonly part: number | undefined;
  /** The other end: the call of a result, the first result of a duplicate, the first call of a repeated id. */
  readonly other: { readonly message: number; readonly part: number } | undefined;
  /** The message after (or in) which results for the call belong. */
  readonly anchor: number | undefined;
  /** Position of the call in its batch. */
  readonly order: number | undefined;
  /** Nothing but results follows the call: it may still be answered. */
  readonly waiting: boolean;
  /** A call with answered neighbours in its batch. */
  readonly partial: boolean;
  /** How many there are of what may only be there a number of times. */
  readonly count: number | undefined;
  readonly detail: Detail | undefined;
};

/** A fact that is being put down: what else is known about it is added before anybody reads it. */
export type NewFact = { -readonly [Key in keyof FactRecord]: FactRecord[Key] };

/** A fact at a place, of which nothing else is known; part -1 means the message as a whole. */
export function newFact(fact: Fact, message: number, part: number): NewFact {
  return {
    fact,
    message,
    part: part < 0 ? undefined : part,
    other: undefined,
    anchor: undefined,
    order: undefined,
    waiting: false,
    partial: false,
    count: undefined,
    detail: undefined,
  };
}
