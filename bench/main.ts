import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { judgeAgent, measureAgent } from './agent-suite.ts';
import { judgeCompaction, measureCompaction } from './compact-suite.ts';
import { inMemoryDialects, selectDialects, wireDialects } from './dialects.ts';
import { loadEngine } from './engine.ts';
import { measureRepair, type Effort, type RepairEffort } from './repair-suite.ts';
import { judgeSimulators, measureSimulators } from './simulator-suite.ts';
import { judgeStore, measureStore } from './store-suite.ts';
import { formatPeers, formatTargets } from './table.ts';
import { judgeAll, type Row } from './verdicts.ts';

const usage = `Usage: npm run bench -- [repair | compact | simulator | store | agent] [--dialect <name>]
                     [--quick] [--json] [--seed <n>]

Measures our packages as they were built, beside floors and peers, and holds them to their targets.
Every ratio compares two numbers of this run. Ends with 1 when a target is missed, 2 when nothing was measured.

  repair     check and repair of histories by @rethread/core (the default)
  compact    compaction by @rethread/core and its estimate of tokens, beside trimMessages, tokenx and gpt-tokenizer
  simulator  judged requests to @rethread/simulator, beside a server that only parses them
  store      the file driver of @rethread/store, beside raw writes, raw syncs and raw parsing
  agent      recovery, events and memory of @rethread/agent, beside raw parsing of the log
  --dialect  only what hangs on a dialect (T1 to T4, 2 × T1 in memory), for the one of that name or for 'all';
             without it, all targets, for ${selectDialects(undefined).wire.join(' and ')}
             on the wire: ${wireDialects.join(', ')}
             in memory (decode and encode): ${inMemoryDialects.join(', ')}
  --quick    fewer rounds, and no histories of 100k messages
  --json     one JSON document on standard output
  --seed     the seed of the generated histories (default 1)
  --help     this text
`;

type Outcome = { measured: unknown; rows: Row[]; tables: string[]; leftOut: string };
type Progress = (what: string) => void;

/** The suites by name; each takes its measurements and holds them against their bars. */
const suites = {
  repair: runRepair,
  compact: runCompact,
  simulator: runSimulator,
  store: runStore,
  agent: runAgent,
};
type Suite = keyof typeof suites;

async function runRepair(effort: RepairEffort, progress: Progress): Promise<Outcome> {
  await loadEngine().catch((cause: unknown) => {
    throw new Error('@rethread/core cannot be loaded; run `npm run build` first.', { cause });
  });
  const measured = await measureRepair(effort, progress);
  const leftOut = effort.quick ? ' Left out by --quick: 100k messages, and with them the growth of T4.' : '';
  const tables = measured.rest === undefined ? [] : [formatPeers(measured.rest.peers, measured.rest.imports)];
  return { measured, rows: judgeAll(measured), tables, leftOut };
}

async function runCompact(effort: Effort, progress: Progress): Promise<Outcome> {
  const measured = await measureCompaction(effort, progress);
  const leftOut = effort.quick ? ' Left out by --quick: 100k messages, and with them the growth of T6.' : '';
  return { measured, rows: judgeCompaction(measured), tables: [], leftOut };
}

async function runSimulator(effort: Effort, progress: Progress): Promise<Outcome> {
  const measured = await measureSimulators(effort, progress);
  return { measured, rows: judgeSimulators(measured), tables: [], leftOut: '' };
}

async function runStore(effort: Effort, progress: Progress): Promise<Outcome> {
  const measured = await measureStore(effort, progress);
  const leftOut = effort.quick
    ? ' Left out by --quick: 100k steps, 1M messages, the session of 4 GB, and more than 300 steps in LangGraph.'
    : '';
  return { measured, rows: judgeStore(measured), tables: [], leftOut };
}

async function runAgent(effort: Effort, progress: Progress): Promise<Outcome> {
  const measured = await measureAgent(effort, progress);
  return { measured, rows: judgeAgent(measured), tables: [], leftOut: '' };
}

type Request = RepairEffort & { suite: Suite; json: boolean; help: boolean };

const isSuite = (name: string): name is Suite => Object.hasOwn(suites, name);

function parseRequest(args: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      dialect: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
    },
  });
  const [suite = 'repair', second] = positionals;
  const known = Object.keys(suites).join(' and ');
  if (!isSuite(suite)) throw new Error(`There is no suite called '${suite}'; there are ${known}.`);
  if (second !== undefined) throw new Error(`One suite at a time: '${second}' is one too many.`);
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`The seed '${values.seed}' is not a whole number.`);
  if (suite !== 'repair' && values.dialect !== undefined) throw new Error('Only the suite repair has dialects.');
  const dialects = selectDialects(values.dialect);
  return { suite, seed, dialects, quick: values.quick, json: values.json, help: values.help };
}

/** Returns the exit code. */
async function run({ suite, seed, dialects, quick, json }: Request): Promise<0 | 1> {
  const started = performance.now();
  const progress: Progress = (what) => void process.stderr.write(`measuring ${what} …\n`);
  const { measured, rows, tables, leftOut } = await suites[suite]({ seed, quick, dialects }, progress);
  const missed = rows.filter(({ verdict }) => verdict === 'miss');
  const seconds = Math.round((performance.now() - started) / 1_000);
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
  if (json) {
    const document = { suite, seed, quick, seconds, machine, missed: missed.length, targets: rows, measured };
    process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`);
  } else {
    const about = `Node ${machine.node}, ${machine.cores} × ${machine.cpu}, seed ${seed}, ${seconds} s`;
    const shown = [about, formatTargets(rows), ...tables, summary(rows, missed) + leftOut];
    process.stdout.write(`${shown.join('\n\n')}\n`);
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
    return await run(request);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
