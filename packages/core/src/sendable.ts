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

export type Verified<T, D extends Dialect = Dialect> =
  | { readonly ok: true; readonly sendable: Sendable<D, T>; readonly report: Report }
  | { readonly ok: false; readonly findings: readonly Finding[]; readonly report: Report };

/**
 * Judges a history and, if nothing in it would be refused, brands it as sendable.
 *
 * @example
 * const verified = verify(request);
 * if (verified.ok) await send(encode(verified.sendable));
 */
export function verify<T, D extends Dialect = Dialect>(input: T, target?: TargetInput<D>): Verified<T, D> {
  const report = check(input, target);
  if (report.verdict !== 'clean') return { ok: false, findings: report.findings, report };
  const sendable = { dialect: report.dialect, wire: input } as unknown as Sendable<D, T>;
  return { ok: true, sendable, report };
}

/**
 * The JSON to send.
 *
 * @example
 * await send(encode(sendable));
 */
export function encode<T>(sendable: Sendable<Dialect, T>): T {
  return sendable.wire;
}
