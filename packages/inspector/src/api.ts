/** What the reader tells the page, in JSON. Texts come from sessions: nothing here may ever be read as markup. */

/** One session in the list, as its head and tail tell. */
export type SessionRow = {
  /** Names the session in addresses; the page never learns to ask for a path. */
  readonly key: string;
  readonly tool: string;
  readonly id: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly parent?: string;
  /** Nobody talks to the session of a subagent: the list shows it only when it is asked for. */
  readonly isSubagent?: boolean;
  readonly file: string;
  readonly modified: number;
  readonly bytes: number;
};

/** What the doctor says about a session, the worst first; `unreadable` is what no tool known here wrote. */
export const VERDICTS = [
  'endangered',
  'hidden',
  'torn',
  'refused',
  'unreadable',
  'heavy',
  'running',
  'healthy',
] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A rule that is broken, and how often. */
export type RuleCount = { readonly rule: string; readonly count: number; readonly isRefused: boolean };

/** What one reading of a session tells about it. */
export type Summary = {
  readonly key: string;
  readonly verdict: Verdict;
  /** The part of the session that the next request contains. */
  readonly survival?: number;
  readonly turns: number;
  readonly messages: number;
  readonly tokens: number;
  readonly model?: string;
  readonly dialect?: string;
  readonly rules: readonly RuleCount[];
  readonly faults: number;
};

export type FindingView = {
  readonly rule: string;
  readonly title: string;
  readonly severity: 'rejected' | 'degraded' | 'wasteful';
  readonly explain: string;
  readonly providerError?: string;
  /** The tool itself mends this when it loads the session. */
  readonly isMended: boolean;
  /** The message of the next request, and where it stands in the session. */
  readonly message: number;
  readonly entry?: number;
  readonly row?: number;
};

export type FaultView = { readonly kind: string; readonly note: string; readonly where: string; readonly row?: number };

export type AbsentView = { readonly reason: string; readonly messages: number; readonly characters: number };

/** Kinds of rows of a timeline; the number is the low three bits of a row's byte. */
export const ROW_KINDS = ['user', 'step', 'result', 'mark', 'records', 'system', 'fault'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** The bit of a row's byte that says that the next request does not contain it. */
export const UNSENT_BIT = 8;

/** Something that happened to the conversation, and is not a message of it. */
export type Mark = { readonly row: number; readonly kind: MarkKind };
export type MarkKind = 'compaction' | 'interruption' | 'rewind' | 'failure' | 'branch';

/** What one step used, as the tool recorded it. */
export type Usage = {
  readonly row: number;
  readonly at?: string;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** The window of the model, where it was recorded. */
  readonly window?: number;
};

/** Characters of the next request by who wrote them, up to and including a message. */
export type Share = { readonly message: number; readonly sums: readonly number[] };
export const SHARES = ['system', 'user', 'assistant', 'reasoning', 'calls', 'results', 'media'] as const;

export type ToolUse = { readonly tool: string; readonly calls: number; readonly failures: number; readonly ms: number };

/** Everything about a session that does not grow with its length, beside a byte for each row. */
export type Overview = {
  readonly key: string;
  readonly tool?: string;
  readonly file: string;
  readonly id?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly version?: string;
  readonly models: readonly string[];
  readonly created?: string;
  readonly updated?: string;
  readonly bytes: number;
  readonly entries: number;
  readonly rows: number;
  /** For each row a byte in base64: the kind in bits 0 to 2, unsent in bit 3, and how large it is in bits 4 to 7. */
  readonly kinds: string;
  readonly verdict: Verdict;
  /** What the tool does to the session on opening it. */
  readonly danger?: string;
  readonly survival?: number;
  readonly tokens: number;
  readonly messages: number;
  readonly sentCharacters: number;
  readonly dialect?: string;
  readonly model?: string;
  readonly absent: readonly AbsentView[];
  readonly findings: readonly FindingView[];
  readonly moreFindings: number;
  readonly faults: readonly FaultView[];
  readonly moreFaults: number;
  readonly marks: readonly Mark[];
  readonly usage: readonly Usage[];
  readonly shares: readonly Share[];
  readonly tools: readonly ToolUse[];
  readonly related: readonly { readonly kind: string; readonly path: string; readonly isThere: boolean }[];
  /** The sentence for a session that could not be judged. */
  readonly unjudged?: string;
};

export type PartView =
  | { readonly kind: 'text'; readonly text: string; readonly more?: number }
  | { readonly kind: 'reasoning'; readonly text: string; readonly isSealed: boolean; readonly more?: number }
  | {
      readonly kind: 'call';
      readonly id: string;
      readonly tool: string;
      readonly input: string;
      readonly more?: number;
      /** The row that has the result, where it is another one; -1 where there is none. */
      readonly answeredIn?: number;
    }
  | {
      readonly kind: 'result';
      readonly id: string;
      readonly text: string;
      readonly outcome: 'ok' | 'error' | 'open';
      readonly more?: number;
      /** The row that has the call, where it is another one; -1 where there is none. */
      readonly calledIn?: number;
    }
  | { readonly kind: 'media'; readonly type: string; readonly characters: number; readonly at: number }
  | { readonly kind: 'other'; readonly type: string; readonly text: string; readonly more?: number };

/** What one record says. */
export type SaidView = {
  readonly entry: number;
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  readonly isSent: boolean;
  readonly parts: readonly PartView[];
};

/** A row of the timeline: what a user said, a step with its calls and their results, a mark, or records beside them. */
export type RowView = {
  readonly row: number;
  readonly kind: RowKind;
  readonly entry: number;
  readonly isSent: boolean;
  /** Why the next request does not contain it. */
  readonly reason?: string;
  readonly at?: string;
  readonly model?: string;
  readonly said: readonly SaidView[];
  /** Records in this row that say nothing to the model. */
  readonly others: readonly { readonly entry: number; readonly type: string }[];
  readonly findings: readonly number[];
  readonly mark?: { readonly kind: MarkKind; readonly note: string };
  readonly fault?: FaultView;
};

/** The next request, before its messages. */
export type RequestView = {
  readonly dialect: string;
  readonly model?: string;
  readonly verdict: string;
  readonly isConverted: boolean;
  readonly preserved: number;
  readonly tokens: number;
  readonly system?: string;
  readonly pairs: number;
  /** Pairs in which something changes. */
  readonly changed: readonly number[];
  readonly findings: readonly FindingView[];
  readonly repairs: readonly RepairView[];
  readonly losses: readonly LossView[];
  readonly next?: string;
};

export type RepairView = {
  readonly rule: string;
  readonly action: string;
  readonly loss: 'none' | 'synthetic' | 'lossy';
  readonly note: string;
  readonly message: number;
  readonly pair?: number;
};

export type LossView = { readonly kind: string; readonly what: string; readonly became: string; readonly why: string };

/** Messages of the session, and what is sent in their place: the same ones, others, or none. */
export type PairView = {
  readonly pair: number;
  readonly stored: readonly MessageView[];
  readonly sent: readonly MessageView[];
  readonly isChanged: boolean;
  readonly findings: readonly number[];
};

export type MessageView = {
  readonly index: number;
  readonly role: string;
  readonly parts: readonly PartView[];
  readonly json: string;
  readonly more?: number;
  readonly entry?: number;
};

export type RuleView = {
  readonly id: string;
  readonly title: string;
  readonly summary: string;
  readonly severity: string;
  readonly loss: string;
  readonly layer: string;
  readonly dialects: readonly string[];
  readonly evidence: readonly string[];
};

/** A place where the words were found. */
export type HitView = {
  readonly key: string;
  readonly entry: number;
  readonly role: string;
  readonly before: string;
  readonly hit: string;
  readonly after: string;
};

/** All that a page without a server shows. */
export type StaticSession = {
  readonly version: string;
  readonly overview: Overview;
  readonly rows: readonly RowView[];
  readonly rowOfEntry: readonly number[];
  readonly request: RequestView;
  readonly pairs: readonly PairView[];
  readonly rules: readonly RuleView[];
};
