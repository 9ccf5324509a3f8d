/** What differs between the models behind one dialect. Plain data: every flag can be overridden by the caller. */
export type Profile = {
  /** `turn`: same-role messages count as one; `message`: every assistant message is a step of its own. */
  readonly step: 'turn' | 'message';
  /** Results travel as parts of user messages, or as messages of their own. */
  readonly carrier: 'user' | 'tool';
  /** Results stand before everything else in their turn. */
  readonly resultsFirst: boolean;
  /** Nothing but calls may follow a call in its turn. */
  readonly callsLast: boolean;
  /** Where a call the provider runs itself finds its result: anywhere in its turn (the default), or in its message. */
  readonly serverPairs?: 'turn' | 'message';
  readonly firstUser: boolean;
  readonly alternation: boolean;
  /** May a request end in an assistant message? */
  readonly prefill: 'allowed' | 'plain-only' | 'refused';
  /** A turn that the provider itself has paused may end a request. */
  readonly pausedTurn: boolean;
  readonly systemLater: boolean;
  readonly systemRole: boolean;
  readonly nullContent: boolean;
  readonly reasoningFirst: boolean;
  /** Reasoning is valid only while everything before it keeps its bytes. */
  readonly reasoningBound: boolean;
  readonly toolsDeclared: boolean;
  readonly unknownKeys: 'strip' | 'carry';
  readonly idPattern: RegExp;
  readonly idMax: number;
  readonly maxImages: number;
  readonly maxCacheMarkers: number;
  readonly maxMessages: number;
  readonly maxTools: number;
  readonly maxBytes: number;
  readonly windowTokens: number;
};
