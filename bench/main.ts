import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureAgent } from './agent-suite.ts';
import { measureCompaction } from './compact-suite.ts';
import { measureProxy } from '../packages/server/test/bench/proxy-suite.ts';
import { inMemoryDialects, wireDialects } from './histories.ts';
import type { Effort } from './measure.ts';
import { measureDoctor } from './doctor-suite.ts';
import { measureRepair, selectDialects } from './repair-suite.ts';
import { measureSimulator } from './simulator-suite.ts';
import { measureStore } from './store-suite.ts';
import { formatTable } from './table.ts';
import { toRow } from './targets.ts';

const usage = `Usage: npm run bench -- [repair | compact | simulator | store | agent | doctor | proxy] [options]

Measures our built packages beside peers. Every ratio compares two numbers of this run.

  repair     check and repair by @rethread/core (default)
  compact    compaction and token estimate of @rethread/core
  simulator  requests judged by @rethread/simulator
  store      file driver and PostgreSQL driver of @rethread/store
  agent      recovery and events of @rethread/agent
  doctor     sessions judged and listed by @rethread/formats, and the start of the command
  proxy      time to the first byte and streams through @rethread/server

  --dialect <name>  repair only: measure this dialect, or all of them
                    ${[...wireDialects, ...inMemoryDialects].join(', ')}
  --quick           measure fewer rounds and smaller sizes
  --json            print JSON
  --seed <n>        random seed of the generated histories (default: 1)
  --help            print this help

Exit codes: 0 all bars held, 1 a bar missed by 10 % or more, 2 nothing measured.
`;

const suites = {
  repair: measureRepair,
  compact: measureCompaction,
  simulator: measureSimulator,
  store: measureStore,
  agent: measureAgent,
  doctor: measureDoctor,
  proxy: measureProxy,
};
const isSuite = (name: string): name is keyof typeof suites => Object.hasOwn(suites, name);

function parseRequest(args: readonly string[]) {
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
  if (!isSuite(suite)) throw new Error(`unknown suite '${suite}': use ${Object.keys(suites).join(', ')}`);
  if (second !== undefined) throw new Error(`run one suite at a time, without '${second}'`);
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`invalid seed '${values.seed}': use a whole number`);
  if (suite !== 'repair' && values.dialect !== undefined) throw new Error('--dialect works with the suite repair only');
  selectDialects(values.dialect);
  return { ...values, suite, seed };
}

async function main(args: readonly string[]): Promise<0 | 1 | 2> {
  try {
    const { suite, seed, quick, json, help, dialect } = parseRequest(args);
    if (help) {
      process.stdout.write(usage);
      return 0;
    }
    const started = performance.now();
    const effort: Effort = { seed, quick, progress: (what) => void process.stderr.write(`measuring ${what} …\n`) };
    const rows = (await suites[suite](effort, dialect)).map(toRow);
    const missed = rows.filter(({ verdict }) => verdict === 'missed').length;
    const seconds = Math.round((performance.now() - started) / 1_000);
    const about = `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, seed ${seed}, ${seconds} s`;
    const table = `${about}\n\n${formatTable(rows)}\n\n${missed} of ${rows.length} rows missed their bar.\n`;
    process.stdout.write(json ? `${JSON.stringify({ suite, seed, quick, about, missed, rows })}\n` : table);
    return missed === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
