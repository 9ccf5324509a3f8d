#!/usr/bin/env node
import { isMainThread } from 'node:worker_threads';

import { exitCode } from './doctor/job.ts';
import { runAssignment } from './doctor/worker.ts';
import { runProgram } from './program.ts';

const oldest = [22, 13] as const;

const isTooOld = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
};

const main = async (): Promise<void> => {
  const exit = (code: number): void => {
    process.exitCode = code;
  };
  // Where nothing is being written there is nothing to put away first.
  process.once('SIGINT', () => process.exit(130));
  if (isTooOld()) {
    process.stderr.write(`rethread: needs Node ${oldest.join('.')} or newer, and this is ${process.versions.node}\n`);
    exit(exitCode.unreadable);
    return;
  }
  await runProgram(process.argv.slice(2), { entry: import.meta.url, exit });
};

if (isMainThread) await main();
else process.exit(runAssignment());
