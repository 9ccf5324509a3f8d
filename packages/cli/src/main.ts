#!/usr/bin/env node
import { mkdirSync } from 'node:fs';
import * as modules from 'node:module';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

import { cacheFolder } from './sessions/cache-folder.ts';

const oldest = [22, 13] as const;

const isTooOld = (): boolean => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
};

/** Compiling takes most of the time of a start. Node has kept the result since 22.8, where it may write. */
function keepCompiledCode(): void {
  try {
    // Other things in this folder are private, so Node must not be the one that makes it.
    mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
    modules.enableCompileCache?.(join(cacheFolder(), 'compiled'));
  } catch {
    // Where nothing can be kept, the start takes longer.
  }
}

const main = async (): Promise<void> => {
  const exit = (code: number): void => {
    process.exitCode = code;
  };
  // Where nothing is being written there is nothing to put away first.
  process.once('SIGINT', () => process.exit(130));
  if (isTooOld()) {
    process.stderr.write(`rethread: needs Node ${oldest.join('.')} or newer, and this is ${process.versions.node}\n`);
    exit(2);
    return;
  }
  keepCompiledCode();
  const args = process.argv.slice(2);
  if (args.length === 0) {
    // The command line and what all the other commands need take longer to load than the list takes to make.
    const { listAlone } = await import('./commands/list.ts');
    exit(await listAlone());
    return;
  }
  const { runProgram } = await import('./program.ts');
  await runProgram(args, { entry: import.meta.url, exit });
};

if (isMainThread) await main();
else {
  const { runAssignment } = await import('./doctor/worker.ts');
  process.exit(runAssignment());
}
