import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { loadEngine } from './engine.ts';
import { measureRepair, type Effort } from './repair-suite.ts';
import { formatPeers, formatTargets } from './table.ts';
import { judgeAll, type Row } from './verdicts.ts';

const usage = `Usage: npm run bench -- [repair] [--quick] [--json] [--seed <number>]

Measures @rethread/core as it was built, beside floors and peers, and holds it to its targets.
Every ratio compares two numbers of this run. Ends with 1 when a target is missed, 2 when nothing was measured.

  repair     the suite to run (the only one, and the default)
  --quick    no histories of 100k messages and fewer rounds
  --json     one JSON document on standard output
  --seed     the seed of the generated histories (default 1)
  --help     this text
`;

const leftOut = ' Left out by --quick: 100k messages, and with them the growth of T4.';

type Request = Effort & { json: boolean; help: boolean };

function parseRequest(args: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
    },
  });
  const unknown = positionals.find((suite) => suite !== 'repair');
  if (unknown !== undefined) throw new Error(`There is no suite called '${unknown}'; there is 'repair'.`);
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`The seed '${values.seed}' is not a whole number.`);
  return { seed, quick: values.quick, json: values.json, help: values.help };
}

/** Returns the exit code. */
async function run(request: Request): Promise<0 | 1> {
  const started = performance.now();
  const progress = (what: string): void => void process.stderr.write(`measuring ${what} …\n`);
  const measured = await measureRepair(request, progress);
  const rows = judgeAll(measured);
  const missed = rows.filter(({ verdict }) => verdict === 'miss');
  const seconds = Math.round((performance.now() - started) / 1_000);
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  if (request.json) {
    const { seed, quick } = request;
    const document = { suite: 'repair', seed, quick, seconds, machine, missed: missed.length, targets: rows, measured };
    process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
  } else {
    const about = `Node ${machine.node}, ${machine.cores} × ${machine.cpu}, seed ${request.seed}, ${seconds} s`;
    const tables = [formatTargets(rows), formatPeers(measured.peers, measured.imports)];
    process.stdout.write(
      `${about}\n\n${tables.join('\n\n')}\n\n${summary(rows, missed)}${request.quick ? leftOut : ''}\n`,
    );
  }
  return missed.length === 0 ? 0 : 1;
}

function summary(rows: readonly Row[], missed: readonly Row[]): string {
  const judged = rows.filter(({ verdict }) => verdict !== 'shown').length;
  const names = [...new Set(missed.map(({ id }) => id))].join(', ');
  return missed.length === 0
    ? `All ${judged} values are within their bars.`
    : `${missed.length} of ${judged} missed: ${names}`;
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const request = parseRequest(args);
    if (request.help) {
      process.stdout.write(usage);
      return 0;
    }
    await loadEngine().catch((cause: unknown) => {
      throw new Error('@rethread/core cannot be loaded; run `npm run build` first.', { cause });
    });
    return await run(request);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
