import type { Dialect } from '@rethread/core';

/** A small broken session, made up for the demonstration. */
export interface DemoSession {
  readonly title: string;
  /** What happened to it, in one sentence. */
  readonly story: string;
  readonly dialect: Dialect;
  readonly history: readonly unknown[];
}
