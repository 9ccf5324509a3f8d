import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes how many tests passed, failed and were skipped to the file the environment names. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tally = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      // A file that does not load has no tests to fail.
      tally.failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') tally[state] += 1;
      }
    }
    const path = process.env['RETHREAD_TALLY'];
    if (path === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(tally));
  }
}
