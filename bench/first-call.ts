import { readFileSync } from 'node:fs';
import { loadEngine } from './engine.ts';
import type { BenchDialect } from './histories.ts';

export type FirstCallJob = { dialect: BenchDialect; work: 'check' | 'repair' };
export type FirstCall = { parseMs: number; callMs: number };

/** Times the very first call in this process, on a history read from standard input, beside the first JSON.parse. */
export async function measureFirstCall(job: FirstCallJob): Promise<FirstCall> {
  const engine = await loadEngine();
  const text = readFileSync(0, 'utf8');
  const start = performance.now();
  const history: unknown = JSON.parse(text);
  const parsed = performance.now();
  engine[job.work](history, job.dialect);
  const called = performance.now();
  return { parseMs: parsed - start, callMs: called - parsed };
}
