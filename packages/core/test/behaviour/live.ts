import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Dialect } from '../../src/index.ts';
import { showProgress } from '../../../../tools/long-run.ts';
import { dialects } from '../fuzz/histories.ts';
import { bundleReference, bundleWorkingTree } from './bundles.ts';
import type { Core } from './core.ts';
import type { Settings, Told, Work } from './worker.ts';

export type Wanted = {
  readonly reference: string;
  readonly count: number;
  readonly dialect?: Dialect | undefined;
  readonly seed?: number | undefined;
  readonly subject?: string | undefined;
  readonly keepAll: boolean;
};

export type Comparison = {
  readonly commit: string;
  readonly seconds: number;
  readonly inputs: number;
  readonly answers: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly found: Told['found'];
};

/** So many seeds are given to a thread at once. */
const STRETCH = 1_000;

/** Everything that is to be compared; the examples come first, since most mistakes show there. */
function plan({ count, dialect, seed, subject }: Wanted, reference: Core): Work[] {
  if (subject !== undefined) return [{ kind: 'case', subject }];
  const spoken = dialect === undefined ? dialects : [dialect];
  if (seed !== undefined)
    return spoken.map((each): Work => ({ kind: 'case', subject: `seed:${each}:${String(seed)}` }));
  const rules = reference.rules().filter((rule) => dialect === undefined || rule.dialects.includes(dialect));
  const work: Work[] = [{ kind: 'rules' }, ...rules.map(({ id }): Work => ({ kind: 'examples', rule: id, dialect }))];
  for (let from = 0; from < count; from += STRETCH) {
    for (const each of spoken) {
      work.push({ kind: 'seeds', dialect: each, from, to: Math.min(count, from + STRETCH) });
    }
  }
  return work;
}

/** Counts what comes back, and says how fast, and how long still. */
class Progress {
  inputs = 0;
  answers = 0;
  readonly counts: Record<string, number> = {};
  readonly found: Told['found'][number][] = [];
  readonly #began = performance.now();
  readonly #all: number;
  #done = 0;

  constructor(all: number) {
    this.#all = all;
  }

  add({ inputs, answers, counts, found }: Told): void {
    this.#done += 1;
    this.inputs += inputs;
    this.answers += answers;
    for (const [key, times] of Object.entries(counts)) this.counts[key] = (this.counts[key] ?? 0) + times;
    this.found.push(...found);
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1_000;
  }

  line(): string {
    const rate = Math.round(this.inputs / this.seconds);
    const left = Math.round((this.seconds / Math.max(1, this.#done)) * (this.#all - this.#done));
    const differing = Object.values(this.counts).reduce((sum, times) => sum + times, 0);
    return `${String(this.inputs)} inputs, ${String(rate)}/s, ${String(left)} s left, ${String(differing)} differences`;
  }
}

/** A thread that works off the list. */
function startThread(open: Work[], progress: Progress, settings: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: settings });
    // A thread has no origin, only what is to be transferred.
    const next = (): void => worker.postMessage(open.shift(), []);
    worker.on('message', (told: Told) => {
      progress.add(told);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${String(code)}`))));
    next();
  });
}

/** Asks the core of a commit and that of the working tree the same, and gives what they answered otherwise. */
export async function compareLive(wanted: Wanted): Promise<Comparison> {
  const { commit, file } = await bundleReference(wanted.reference);
  const urls = [file, await bundleWorkingTree()].map((path) => pathToFileURL(path).href);
  const [reference = '', changed = ''] = urls;
  const open = plan(wanted, (await import(reference)) as Core);
  const progress = new Progress(open.length);
  using _ = showProgress(() => progress.line());
  const threads = Math.min(open.length, Math.max(1, availableParallelism()));
  const settings: Settings = { reference, changed, keepAll: wanted.keepAll };
  await Promise.all(Array.from({ length: threads }, () => startThread(open, progress, settings)));
  const { seconds, inputs, answers, counts, found } = progress;
  return { commit, seconds, inputs, answers, counts, found };
}
