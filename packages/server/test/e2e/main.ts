import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { install } from './install.ts';
import { programs } from './programs.ts';
import { play, scenarios, type Outcome, type Scenario, type Stage, type Way } from './scenario.ts';

const usage = `Usage: npm run e2e -- proxy [options]

Runs real agents against the simulator: without rethread, where their requests are refused, and through it.

  --only <name>    run one program: ${Object.keys(programs).join(', ')}
  --cache <folder> where programs are installed (default: ~/.cache/rethread-e2e)
  --help           print this help

Exit codes: 0 every scenario ended as expected, 1 one did not, 2 nothing was run.
`;

const cli = join(import.meta.dirname, '../../../cli/dist/rethread.js');

/** Cline takes its address from a file only, so it is pointed at a proxy that runs already. */
const wayOf = ({ program }: Scenario): Way => (program === 'cline' ? 'rethread proxy' : 'rethread run');

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe(way: Way, { refused, accepted, hasAnswer, keepsPrefix, summary }: Outcome): string {
  const answer = hasAnswer ? 'answered' : 'no answer';
  const said = refused[0] === undefined ? '' : `: ${refused[0].slice(0, 110)}`;
  const prefix = keepsPrefix ? '' : ', THE PREFIX CHANGED';
  const counts = `${accepted} accepted, ${refused.length} refused${prefix}${said}`;
  return `  ${way.padEnd(14)} ${answer}, ${counts}${summary && ` (${summary})`}`;
}

/** Whether the proxy made the difference that the scenario is about. */
function isExpected({ isHealthy = false }: Scenario, direct: Outcome, through: Outcome): boolean {
  const isSaved = through.refused.length === 0 && through.hasAnswer && through.keepsPrefix;
  return isSaved && (isHealthy ? direct.refused.length === 0 : direct.refused.length > 0);
}

async function runScenario(scenario: Scenario, cache: string): Promise<boolean> {
  const { package: wanted } = programs[scenario.program];
  const modules = await install(wanted, cache);
  print(`${scenario.program} ${wanted.version}: ${scenario.what}`);
  const stage = (name: string): Stage => ({ modules, cli, folder: join(cache, 'runs', scenario.program, name) });
  const direct = await play(scenario, 'direct', stage('direct'));
  print(describe('direct', direct));
  const way = wayOf(scenario);
  const through = await play(scenario, way, stage('through'));
  print(describe(way, through));
  const ok = isExpected(scenario, direct, through);
  print(ok ? '  ok' : '  NOT AS EXPECTED');
  return ok;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, cache: { type: 'string' }, help: { type: 'boolean', default: false } },
  });
  const chosen = scenarios.filter(({ program }) => values.only === undefined || program === values.only);
  if (values.help || positionals.join() !== 'proxy' || chosen.length === 0) {
    process.stdout.write(usage);
    return values.help ? 0 : 2;
  }
  const cache = values.cache ?? join(homedir(), '.cache/rethread-e2e');
  let failed = 0;
  for (const scenario of chosen) if (!(await runScenario(scenario, cache))) failed += 1;
  print(`${chosen.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
