import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Dialect } from '../../src/index.ts';
import { merge, startTally, type Failure, type Tally } from './campaign.ts';
import { dialects } from './histories.ts';
import type { Work } from './worker.ts';

const help = `npm run fuzz -- [--count N] [--seed S] [--dialect D] [--threads T] [--json]
                [--exhaustive [--depth N] | --compaction]
  --count       how many seeded histories (1000000)
  --seed        replays a run; printed when not given
  --dialect     ${dialects.join(', ')}; all of them by default
  --exhaustive  instead: every history up to --depth messages (6) over an alphabet of ten
  --compaction  instead: cuts, slices and pruning of seeded histories that are accepted as they are
  --json        the result as one JSON object on stdout`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    seed: { type: 'string' },
    dialect: { type: 'string' },
    threads: { type: 'string', default: '2' },
    depth: { type: 'string', default: '6' },
    exhaustive: { type: 'boolean', default: false },
    compaction: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function readNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  process.stderr.write(`--${name} needs a whole number, and got ${text}\n`);
  process.exit(2);
}

function readDialect(text: string | undefined): Dialect | undefined {
  const found = dialects.find((dialect) => dialect === text);
  if (text === undefined || found) return found;
  process.stderr.write(`--dialect is one of ${dialects.join(', ')}, and not ${text}\n`);
  process.exit(2);
}

const threads = Math.max(1, readNumber('threads', values.threads));
const seed = values.seed === undefined ? Date.now() % 0x1_0000_0000 : readNumber('seed', values.seed);
const dialect = readDialect(values.dialect);

function planWork(): Work[] {
  const parts = [...Array(threads).keys()];
  if (values.exhaustive) {
    const depth = readNumber('depth', values.depth);
    return (dialect ? [dialect] : dialects).flatMap((spoken) =>
      parts.map((part): Work => ({ kind: 'share', share: { dialect: spoken, depth, part, of: threads } })),
    );
  }
  const count = readNumber('count', values.count);
  const share = Math.ceil(count / threads);
  return parts.map((part): Work => {
    const from = part * share;
    const kind = values.compaction ? 'compaction' : 'stretch';
    return { kind, stretch: { seed, from, count: Math.max(0, Math.min(share, count - from)), dialect } };
  });
}

let done = 0;
let shown = Date.now();
const started = Date.now();

function showProgress(more: number): void {
  done += more;
  if (Date.now() - shown < 2000) return;
  shown = Date.now();
  const rate = Math.round((done * 1000) / (shown - started));
  process.stderr.write(`${done} histories, ${rate}/s\n`);
}

/** A thread that works off the list and goes on with what is hot in it. */
function startThread(open: Work[], total: Tally): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url));
    // A thread has no origin, only what is to be transferred.
    const next = (): void => worker.postMessage(open.shift(), []);
    worker.on('message', (message: { done?: number; tally?: Tally }) => {
      if (!message.tally) return showProgress(message.done ?? 0);
      merge(total, message.tally);
      next();
    });
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a worker ended with ${code} and no tally`)),
    );
    next();
  });
}

/** Works off the list with as many threads as were asked for. */
async function runAll(works: readonly Work[]): Promise<Tally> {
  const open = [...works];
  const total = startTally();
  await Promise.all(Array.from({ length: threads }, () => startThread(open, total)));
  return total;
}

function print({ promise, kind, detail, explained, ...failure }: Failure): void {
  const { dialect: spoken, times, planted, smallest, target, options } = failure;
  process.stdout.write(`\n${promise} ${kind}, ${spoken}, ${times} times: ${detail}\n`);
  if (explained !== undefined) process.stdout.write(`  explained: ${explained}\n`);
  process.stdout.write(`  seed ${failure.seed}; planted: ${planted.join(', ') || 'nothing'}\n`);
  process.stdout.write(`  target ${JSON.stringify(target)} options ${JSON.stringify(options)}\n`);
  process.stdout.write(`  ${JSON.stringify(smallest)}\n`);
}

if (values.help) {
  process.stdout.write(`${help}\n`);
  process.exit(0);
}
const plan = planWork();
process.stderr.write(values.exhaustive ? 'every history of the alphabets\n' : `seed ${seed}\n`);
const total = await runAll(plan);
const seconds = Math.round((Date.now() - started) / 100) / 10;
if (values.json) process.stdout.write(`${JSON.stringify({ seed, seconds, ...total })}\n`);
else {
  const often = (list: readonly Failure[]): Failure[] => list.toSorted((a, b) => b.times - a.times);
  for (const failure of [...often(total.explained), ...often(total.failures)]) print(failure);
  const counts = Object.entries(total.counts).map(([kind, times]) => `${times} ${kind}`);
  process.stdout.write(`\n${total.histories} histories in ${seconds} s: ${counts.join(', ')}\n`);
}
process.exitCode = total.failures.length > 0 ? 1 : 0;
