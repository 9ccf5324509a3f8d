import { readFileSync, statSync } from 'node:fs';

import { detectDialect } from '@rethread/core';
import type { JudgeOptions } from '@rethread/formats';

import { readSession } from '../files/read-session.ts';
import { fromChunks, unreadable } from '../files/source.ts';
import { judgeOpened, openNamed, writeRepaired } from '../sessions/judged-session.ts';
import { type Named, sessionsNamed } from '../sessions/session-argument.ts';
import { toolName } from '../sessions/tool-words.ts';
import type { Output } from '../terminal/output.ts';
import { createProgress } from '../terminal/progress.ts';
import { visible } from '../terminal/visible.ts';
import { Unreadable } from '../unreadable.ts';
import type { Patient } from './job.ts';

/** How the sessions on the command line are to be taken. */
export interface Admission {
  readonly fix?: true;
  readonly undo?: true;
  readonly force?: true;
  readonly out?: string;
  /** Where progress is shown. */
  readonly output: Pick<Output, 'progress'>;
  readonly model?: string;
  readonly policy: JudgeOptions['policy'];
}

/** Larger files that were only found in a folder are not opened to see whether they are histories. */
const largestGuess = 64_000_000;

/** A folder may hold any JSON; only what shows a dialect is a history. */
function isHistory({ path }: Named): boolean {
  try {
    if (statSync(path).size > largestGuess) return false;
    return detectDialect(readSession(fromChunks([readFileSync(path)])).value) !== undefined;
  } catch {
    return false;
  }
}

/** Shows how much of a file has been read. */
function readingProgress({ path, name }: Named, { output }: Admission): { read: (n: number) => void; end: () => void } {
  const { size } = statSync(path);
  const progress = createProgress(output, { what: `reading ${visible(name)}`, unit: 'bytes', total: size });
  let done = 0;
  return {
    read(bytes) {
      // What will be sent is read a second time.
      done = Math.min(size, done + bytes);
      progress.at(done);
    },
    end: progress.end,
  };
}

async function patientOf(named: Named, how: Admission): Promise<Patient | undefined> {
  const { fix, force, model, policy, out } = how;
  const { name, path, chunks } = named;
  const progress = readingProgress(named, how);
  const session = force === true ? undefined : await openNamed(named, { onRead: progress.read });
  if (session === undefined) {
    if (chunks !== undefined) return { kind: 'pipe', name, chunks };
    return named.isFound === true && !isHistory(named) ? undefined : { kind: 'file', path: name };
  }
  if (fix === true) {
    const advice = 'rethread does not change it; --out <file> writes the repaired messages of its next request';
    const reason = `is a session of ${toolName(session.tool)}: ${advice}`;
    return { kind: 'unreadable', name: path, reason };
  }
  const options = { ...(model === undefined ? {} : { model }), ...(policy === undefined ? {} : { policy }) };
  const judged = await judgeOpened(named, session, options);
  progress.end();
  if (out === undefined) return judged;
  await writeRepaired(session, out, options);
  return { ...judged, written: out };
}

async function patientsIn(word: string, how: Admission): Promise<Patient[]> {
  // A file that is gone can be restored all the same.
  if (how.undo === true) return [{ kind: 'file', path: word }];
  const patients: Patient[] = [];
  const found = await sessionsNamed(word);
  // Nothing is written while sessions are judged, so an interrupt may end that in the middle of a long computation.
  process.removeAllListeners('SIGINT');
  for (const named of found) {
    const patient = await patientOf(named, how);
    if (patient !== undefined) patients.push(patient);
  }
  if (patients.length === 0) throw new Unreadable('holds no session that is known here');
  return patients;
}

/** Every session that the arguments name. What cannot be read is reported in its place. */
export async function patientsOf(words: readonly string[], how: Admission): Promise<readonly Patient[]> {
  const patients: Patient[] = [];
  for (const word of words) {
    try {
      patients.push(...(await patientsIn(word, how)));
    } catch (error) {
      patients.push({ kind: 'unreadable', name: word, reason: unreadable(error).message });
    }
  }
  return patients;
}
