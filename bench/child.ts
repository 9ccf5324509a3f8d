import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { JobOf, Jobs, OutcomeOf } from './worker.ts';

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));

/**
 * Idle code loses its bytecode after a few collections. The benchmark collects before every sample, far more often than
 * a program does; without the first flag, every sample would pay for compiling.
 */
const usualFlags = ['--no-flush-bytecode', '--expose-gc', '--max-old-space-size=8192'];

/** Runs one measurement in a Node process of its own, where nothing else has warmed the code or filled the heap. */
export async function runJob<Name extends keyof Jobs>(
  name: Name,
  job: JobOf<Name>,
  flags: readonly string[] = usualFlags,
): Promise<OutcomeOf<Name>> {
  return JSON.parse(await runNode([...flags, worker, name, JSON.stringify(job)])) as OutcomeOf<Name>;
}

/** Runs Node to its end and returns its standard output. */
export async function runNode(args: readonly string[], stdin = ''): Promise<string> {
  const { NODE_EXTRA_CA_CERTS: _slowsTheStart, NODE_OPTIONS: _changesTheRun, ...env } = process.env;
  const child = spawn(process.execPath, args, { env, cwd: import.meta.dirname, stdio: ['pipe', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(stdin);
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  if (code !== 0) throw new Error(`a measuring process ended with code ${code}:\n${errors.trim()}`);
  return output;
}
