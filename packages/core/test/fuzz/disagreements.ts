import type { Dialect, Finding } from '../../src/index.ts';

/** What the two readings of one contract make of one history. */
export interface Readings {
  readonly dialect: Dialect;
  readonly findings: readonly Finding[];
  readonly rows: readonly string[];
}

/** A difference between the two readings that is known, and why it stays. */
export interface KnownDisagreement {
  readonly name: string;
  readonly reason: string;
  applies(readings: Readings): boolean;
}

export const KNOWN_DISAGREEMENTS: readonly KnownDisagreement[] = [
  {
    name: 'an empty response at the end of a request',
    reason:
      'The judge is right that a request may not end so. A check lets one rule claim a message, and reports it as an ' +
      'empty response, which is degraded and no less broken; a repair takes it out and then ends the list as it must.',
    applies: ({ dialect, findings, rows }) =>
      dialect === 'pydantic-ai' &&
      findings.some(({ rule }) => rule === 'empty-response') &&
      findings.every(({ severity }) => severity !== 'rejected') &&
      rows.every((row) => row === 'py-history'),
  },
];

/** Names without repetition and in one order, so that equal disagreements read alike. */
const named = (names: readonly string[]): string => [...new Set(names)].sort().join(', ') || 'nothing';

/** In which the readings differ, or nothing where one refuses and the other does too. */
export function disagreementIn(readings: Readings): { detail: string; explained: string | undefined } | undefined {
  const { findings, rows } = readings;
  const rules = findings.filter(({ severity }) => severity === 'rejected').map(({ rule }) => rule);
  if (rows.length > 0 === rules.length > 0) return undefined;
  return {
    detail: `the rules refuse ${named(rules)}, the judge ${named(rows)}`,
    explained: KNOWN_DISAGREEMENTS.find((known) => known.applies(readings))?.name,
  };
}
