import type { SessionRef } from '@rethread/formats';

import type { HitView, Overview, PairView, PartView, RequestView, RowView, Summary } from '../api.ts';

/** A session with the name that addresses have for it. */
export type KeyedRef = SessionRef & { readonly key: string };

export type RequestTarget = { readonly dialect?: string; readonly model?: string };
type Range = { readonly from: number; readonly to: number };

/** What the server can ask a reader, and what it gets. A reader holds one session open. */
export type Asks = {
  /** Every session of this machine, one by one as progress. */
  list: { input: { readonly home?: string }; output: null; progress: SessionRef };
  /** The session in one file. */
  locate: { input: { readonly path: string }; output: SessionRef | null; progress: never };
  summary: { input: KeyedRef; output: Summary; progress: never };
  open: { input: KeyedRef; output: Overview; progress: number };
  rows: { input: Range; output: readonly RowView[]; progress: never };
  row: { input: { readonly entry: number }; output: number; progress: never };
  /** A record as its tool wrote it. */
  entry: {
    input: { readonly entry: number };
    output: { readonly json: string; readonly more?: number } | null;
    progress: never;
  };
  part: { input: { readonly entry: number; readonly part: number }; output: PartView | null; progress: never };
  media: {
    input: { readonly entry: number; readonly part: number };
    output: { readonly type: string; readonly data: string } | null;
    progress: never;
  };
  request: { input: RequestTarget; output: RequestView; progress: never };
  pairs: { input: RequestTarget & Range; output: readonly PairView[]; progress: never };
  search: {
    input: { readonly refs: readonly KeyedRef[]; readonly words: string };
    output: null;
    progress: { readonly hits: readonly HitView[]; readonly done: number };
  };
};

export type AskName = keyof Asks;

/** A question on its way to a reader. */
export type Question = { readonly id: number; readonly name: AskName; readonly input: unknown };

/** What comes back: any number of pieces of progress, then one answer or one sentence about why there is none. */
export type Reply =
  | { readonly id: number; readonly kind: 'progress' | 'done'; readonly value: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly sentence: string };
