import { readFileSync, rmSync } from 'node:fs';

import type { Patient } from '../doctor/job.ts';
import { saveNew } from '../files/save-new.ts';
import { judgeHistory } from '../sessions/history-session.ts';
import { openNamed } from '../sessions/judged-session.ts';
import { Unreadable } from '../unreadable.ts';
import { type Reported, bugReport } from './bug-report.ts';
import { leakIn } from './leaks.ts';

export interface ReportOptions {
  readonly path: string;
  readonly withText: boolean;
  readonly model?: string;
}

async function reportedOf(patient: Patient, model: string | undefined): Promise<Reported[]> {
  if (patient.kind === 'unreadable') return [];
  if (patient.kind === 'pipe') return [await judgeHistory({ ...patient, path: patient.name }, model)];
  if (patient.kind === 'file') return [await judgeHistory({ name: patient.path, path: patient.path }, model)];
  const { path, id } = patient;
  const session = await openNamed({ name: path, path, ...(id === undefined ? {} : { id }) });
  return session === undefined ? [] : [{ session: patient, messages: (await session.active()).messages }];
}

/**
 * Writes a report for a bug tracker, reads it again, and looks for what must not be in it. A report that gives
 * something away is removed.
 */
export async function writeReport(patients: readonly Patient[], options: ReportOptions): Promise<void> {
  const { path, withText, model } = options;
  const reported = (await Promise.all(patients.map((patient) => reportedOf(patient, model)))).flat();
  if (reported.length === 0) throw new Unreadable(`--report ${path}: there is nothing to report`);
  saveNew(path, [Buffer.from(bugReport(reported, { withText }))]);
  const leak = leakIn(readFileSync(path, 'utf8'), reported, withText);
  if (leak === undefined) return;
  rmSync(path);
  throw new Unreadable(`--report ${path}: the report would have held ${leak}, so it was removed`);
}
