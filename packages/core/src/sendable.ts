import type { Dialect } from './model/dialect.ts';
import type { Finding, Report } from './model/finding.ts';
import { check } from './repair.ts';
import type { TargetInput } from './target.ts';

declare const proven: unique symbol;

/** A history, or a request with one, that was proven for its dialect. Only `verify` makes one. */
export type Sendable<D extends Dialect = Dialect, T = unknown> = {
  readonly dialect: D;
  readonly wire: T;
  readonly [proven]: true;
};

export type Verified<T> =
  | { readonly ok: true; readonly sendable: Sendable<Dialect, T>; readonly report: Report }
  | { readonly ok: false; readonly findings: readonly Finding[]; readonly report: Report };

/** Judges a history and, if nothing in it would be refused, brands it as sendable. */
export function verify<T>(input: T, target?: TargetInput): Verified<T> {
  const report = check(input, target);
  if (report.verdict !== 'clean') return { ok: false, findings: report.findings, report };
  const sendable = { dialect: report.dialect, wire: input } as unknown as Sendable<Dialect, T>;
  return { ok: true, sendable, report };
}

/** The JSON to send. */
export function encode<T>(sendable: Sendable<Dialect, T>): T {
  return sendable.wire;
}
