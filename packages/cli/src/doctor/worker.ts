import { rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker, workerData } from 'node:worker_threads';

import { Gate, createGateState } from '../files/gate.ts';
import { draftPath } from '../files/swap.ts';
import { Unreadable, systemCode } from '../unreadable.ts';
import { type DoctorJob, filesOf } from './job.ts';
import { runDoctor } from './run.ts';

interface Assignment {
  readonly doctorJob: DoctorJob;
  readonly gateState: Int32Array;
}

const isAssignment = (data: unknown): data is Assignment =>
  typeof data === 'object' && data !== null && 'doctorJob' in data && 'gateState' in data;

/** The work of the second thread: the whole job, and its exit code. */
export function runAssignment(): number {
  if (!isAssignment(workerData)) throw new Error('the worker was started with a job');
  return runDoctor(workerData.doctorJob, new Gate(workerData.gateState));
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How long a thread that is deep in the parser may take to notice that it has to end. */
const graceMs = 200;

function outOfMemory(job: DoctorJob): Unreadable {
  const what = job.patients.length === 1 ? 'the session needs' : 'one of the sessions needs';
  return new Unreadable(
    `${what} more memory than Node may use; allow more with NODE_OPTIONS=--max-old-space-size=8192`,
  );
}

/** Up to here a job is done before anybody can press Ctrl-C, and starting a thread would take longer than the work. */
const smallBytes = 4_000_000;

function sizeOf({ patients }: DoctorJob): number {
  const files = filesOf(patients).map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  const pipes = patients.flatMap((patient) => (patient.kind === 'pipe' ? patient.chunks : []));
  return [...files, ...pipes.map(({ length }) => length)].reduce((sum, size) => sum + size, 0);
}

function isSmall(job: DoctorJob): boolean {
  try {
    return sizeOf(job) < smallBytes;
  } catch {
    // What cannot even be asked for its size is told of by the doctor itself.
    return true;
  }
}

/** Runs a job here or in a thread of its own, as its size demands, and gives the exit code. */
export async function runJob(job: DoctorJob, entry: string): Promise<number> {
  return isSmall(job) ? runDoctor(job, new Gate(createGateState())) : runInWorker(job, entry);
}

/**
 * Runs a job in a thread of its own, so that Ctrl-C is answered at once however large the session is, and running out
 * of memory ends in a sentence. Whatever happens, no draft file is left behind.
 */
async function runInWorker(job: DoctorJob, entry: string): Promise<number> {
  const gateState = createGateState();
  const gate = new Gate(gateState);
  const removeDrafts = (): void => {
    for (const path of filesOf(job.patients)) rmSync(draftPath(path, job.token), { force: true });
  };
  const assignment: Assignment = { doctorJob: job, gateState };
  const worker = new Worker(new URL(entry), { workerData: assignment });
  const stop = async (signal: (typeof signals)[number]): Promise<void> => {
    while (!gate.stop()) await sleep(1);
    const ended = await Promise.race([worker.terminate().then(() => true), sleep(graceMs, false)]);
    removeDrafts();
    if (ended) process.exit(128 + constants.signals[signal]);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  };
  let stopping: Promise<void> | undefined;
  for (const signal of signals) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      stopping ??= stop(signal);
    });
  }
  return new Promise((done, fail) => {
    worker.once('error', (error) => {
      fail(systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? outOfMemory(job) : error);
    });
    worker.once('exit', (code) => {
      if (gate.isStopped) return;
      if (job.mode === 'fix') removeDrafts();
      done(code);
    });
  });
}
