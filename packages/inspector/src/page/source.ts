import type {
  HitView,
  Overview,
  PairView,
  PartView,
  RequestView,
  RowView,
  RuleView,
  SessionRow,
  Summary,
} from '../api.ts';

export type Target = { readonly dialect?: string; readonly model?: string };
export type About = { readonly version: string; readonly dialects: readonly string[]; readonly first?: string };
export type Found = { readonly hits: readonly HitView[]; readonly done: number; readonly of: number };

/** Where the page gets sessions from: the server, or the file that it is in itself. */
export type Source = {
  readonly isStatic: boolean;
  about(): Promise<About>;
  sessions(each: (rows: readonly SessionRow[]) => void): Promise<void>;
  summaries(keys: readonly string[]): Promise<readonly Summary[]>;
  search(words: string, each: (found: Found) => void, signal: AbortSignal): Promise<void>;
  overview(key: string, progress: (share: number) => void): Promise<Overview>;
  rows(key: string, from: number, to: number): Promise<readonly RowView[]>;
  row(key: string, entry: number): Promise<number>;
  entry(key: string, entry: number): Promise<{ readonly json: string; readonly more?: number } | null>;
  part(key: string, entry: number, part: number): Promise<PartView | null>;
  media(key: string, entry: number, part: number): Promise<{ readonly type: string; readonly data: string } | null>;
  request(key: string, target: Target): Promise<RequestView>;
  pairs(key: string, target: Target, from: number): Promise<readonly PairView[]>;
  rule(id: string): Promise<RuleView>;
  /** Calls back whenever the session has changed. */
  follow(key: string, changed: () => void, signal: AbortSignal): Promise<void>;
};
