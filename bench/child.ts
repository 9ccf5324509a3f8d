import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import type { Jobs } from './worker.ts';

const worker = fileURLToPath(new URL('worker.ts', import.meta.url));

// Code that is idle for a few collections loses its bytecode. The harness collects before every sample, far more often
// than a program would, so without the first flag every sample would pay for compiling.
const measuringFlags = ['--no-flush-bytecode', '--expose-gc', '--max-old-space-size=8192'];

type Surroundings = { stdin?: string; node?: string };
export type ChildOptions = Surroundings & { flags?: readonly string[] };

/** Runs one measurement in a Node process of its own, where nothing else has warmed the code or filled the heap. */
export async function runJob<Name extends keyof Jobs>(
  name: Name,
  input: Parameters<Jobs[Name]>[0],
  options: ChildOptions = {},
): Promise<Awaited<ReturnType<Jobs[Name]>>> {
  const { flags = measuringFlags, ...surroundings } = options;
  const output = await runNode([...flags, worker, name, JSON.stringify(input)], surroundings);
  return JSON.parse(output) as Awaited<ReturnType<Jobs[Name]>>;
}

export async function runNode(args: readonly string[], { stdin = '', node }: Surroundings = {}): Promise<string> {
  const { NODE_EXTRA_CA_CERTS: _slowsTheStart, NODE_OPTIONS: _changesTheRun, ...env } = process.env;
  const child = spawn(node ?? process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
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
