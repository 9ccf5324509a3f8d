import { check } from '@rethread/core';

import type { Session } from '../files/read-session.ts';
import { isSameJson } from '../files/rewrite.ts';
import type { DoctorJob } from './job.ts';
import { placeOf } from './report-text.ts';

/** What is wrong with a draft that was read like any session; nothing where it is what was to be written. */
export function faultOf(draft: Session, expected: unknown, target: DoctorJob['target']): string | undefined {
  const { value, findings } = draft;
  if (findings[0] !== undefined) return findings[0].explain;
  if (!isSameJson(value, expected)) return 'it reads back as something else';
  const { verdict, findings: left } = check(value, target);
  if (verdict === 'clean') return undefined;
  const first = left.find(({ severity }) => severity !== 'wasteful');
  return first === undefined ? `it is ${verdict}` : `${placeOf(first.at)} ${first.rule}: ${first.explain}`;
}
