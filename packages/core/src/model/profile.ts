import { ANY_ID } from './call-id.ts';

/** What differs between the models behind one dialect. Plain data: every flag can be overridden by the caller. */
export type Profile = {
  /** `turn`: same-role messages count as one; `message`: every assistant message is a step of its own. */
  readonly step: 'turn' | 'message';
  /** Where the result of a call is looked for: at its step (the default), or anywhere in the list. */
  readonly pairs?: 'step' | 'anywhere';
  /** A result may name no call. */
  readonly namelessResults?: boolean;
  /** Reasoning may be sent with its text. */
  readonly reasoningText?: boolean;
  /** Results travel as parts of user messages, as messages of their own, or each with its call. */
  readonly carrier: 'user' | 'tool' | 'call';
  /** Results stand before everything else in their turn. */
  readonly resultsFirst: boolean;
  /** Nothing but calls may follow a call in its turn. */
  readonly callsLast: boolean;
  /** A step is answered by as many results as it has calls, anywhere in the turn of the user behind it. */
  readonly countedResults?: boolean;
  /** Calls of one step may share an id; results answer them in order. */
  readonly sharedIds?: boolean;
  /** False where a result need not repeat the id of its call. */
  readonly resultIds?: boolean;
  /** The first call of each step since the user last spoke must carry the provider's signature. */
  readonly callSeals?: boolean;
  /**
   * Where a call the provider runs itself finds its result: anywhere in its turn (the default), in its message, or in a
   * later message of the assistant while nothing but results comes between (`exchange`).
   */
  readonly serverPairs?: 'turn' | 'message' | 'exchange';
  /** Results share their message with nothing else. */
  readonly resultsAlone?: boolean;
  /** Whether a result may say how it ended; absent means yes. */
  readonly resultStatus?: boolean;
  readonly firstUser: boolean;
  readonly alternation: boolean;
  /** May a request end in an assistant message? */
  readonly prefill: 'allowed' | 'plain-only' | 'refused' | 'marked';
  /** A turn that the provider itself has paused may end a request. */
  readonly pausedTurn: boolean;
  readonly systemLater: boolean;
  readonly systemRole: boolean;
  readonly nullContent: boolean;
  /** Every message has content, also one that only calls tools. */
  readonly contentNeeded?: boolean;
  /** Only users send lists of pieces; everybody else sends one text. */
  readonly plainContent?: boolean;
  /** False where the model knows neither calls nor results. */
  readonly toolRole?: boolean;
  /** Calls may stand among the content alone, and not in the list of calls beside it. */
  readonly callsInContent?: boolean;
  /** There is one system message at most, and it comes first. */
  readonly oneSystem?: boolean;
  /** The form in which the arguments of a call are sent where a dialect has both; absent means text. */
  readonly inputForm?: 'text' | 'object';
  /** Reasoning in a field of its own: it must come back with every answer where tools are used, or must not. */
  readonly reasoningField?: 'back' | 'never';
  /** An answer without a word and without calls is refused, also an empty text. */
  readonly emptyText?: 'refused';
  /** Whether the user may speak directly after a tool; absent means yes. */
  readonly userAfterTool?: boolean;
  /** Whether a request may end with the system; absent means yes. */
  readonly systemEnd?: boolean;
  /** A text of nothing but white space is accepted. */
  readonly blankText?: boolean;
  /** An empty answer is refused at the end of a history too. */
  readonly emptyEnd?: 'refused';
  readonly reasoningFirst: boolean;
  /** Whether pieces of reasoning may stand among the content; absent means yes. */
  readonly reasoningParts?: boolean;
  /** Whether reasoning needs the seal of the provider and something behind it; absent means yes. */
  readonly reasoningSigned?: boolean;
  /** Reasoning is valid only while everything before it keeps its bytes. */
  readonly reasoningBound: boolean;
  readonly toolsDeclared: boolean;
  /** Who refuses, where it is not the one the dialect is known for: the key of its words in `Rule.providerError`. */
  readonly speaker?: string;
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

/** A provider that takes everything. The profile of a dialect names what differs from it. */
export const UNRESTRICTED: Profile = {
  step: 'message',
  carrier: 'tool',
  resultsFirst: false,
  callsLast: false,
  firstUser: false,
  alternation: false,
  prefill: 'allowed',
  pausedTurn: false,
  systemLater: true,
  systemRole: true,
  nullContent: false,
  reasoningFirst: false,
  reasoningBound: false,
  toolsDeclared: false,
  unknownKeys: 'carry',
  idPattern: ANY_ID,
  idMax: Number.POSITIVE_INFINITY,
  maxImages: Number.POSITIVE_INFINITY,
  maxCacheMarkers: Number.POSITIVE_INFINITY,
  maxMessages: Number.POSITIVE_INFINITY,
  maxTools: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
  windowTokens: Number.POSITIVE_INFINITY,
};

/** Where a model differs from the strict reading. */
export type ModelRow = readonly [name: RegExp, profile: Profile];

/** The profile of a model: the first row that fits its name, or the strict reading. */
export function profileOfModel(strict: Profile, rows: readonly ModelRow[], model: string | undefined): Profile {
  if (model === undefined) return strict;
  return rows.find(([name]) => name.test(model))?.[1] ?? strict;
}
