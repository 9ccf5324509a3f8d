import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

import { cache } from '../../../../tools/node.mjs';
import type { Job } from './worker.ts';

/** The bundle that workers run. It is built once, because thousands of them start. */
export type Workshop = AsyncDisposable & {
  start(job: Job): ChildProcess;
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** After the signal, all workers are killed and none is started. */
export async function openWorkshop(signal?: AbortSignal): Promise<Workshop> {
  // Inside node_modules, so that database drivers are found.
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'workers-'));
  await build({
    entryPoints: [here('worker.ts')],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    external: ['pg'],
    // Some client dependencies require built-ins the old way.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
    alias: {
      '@rethread/core/streams': here('../../../core/src/streams/index.ts'),
      '@rethread/core': here('../../../core/src/index.ts'),
      '@rethread/simulator': here('../../../simulator/src/index.ts'),
      '@rethread/store': here('../../../store/src/index.ts'),
      '@rethread/agent/anthropic': here('../../src/ports/anthropic.ts'),
      '@rethread/agent/openai': here('../../src/ports/openai.ts'),
      '@rethread/agent/ai-sdk': here('../../src/ports/ai-sdk.ts'),
      '@rethread/agent': here('../../src/index.ts'),
    },
  });
  // The clients see none of this machine's keys or proxies.
  const env = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  return {
    start: (job) => {
      signal?.throwIfAborted();
      const child = spawn(process.execPath, [join(folder, 'worker.mjs'), JSON.stringify(job)], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const end = (): void => void child.kill('SIGKILL');
      signal?.addEventListener('abort', end);
      child.once('exit', () => signal?.removeEventListener('abort', end));
      return child;
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}
