import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { runNode } from './child.ts';
import { fastest, median, type Reading } from './measure.ts';

const require = createRequire(import.meta.url);
const root = join(import.meta.dirname, '..');
const command = join(root, 'packages/cli/dist/rethread.js');

/** What it costs to have our packages: to import them, to bundle them, and to start the command. */
export async function measurePackages(rounds: number): Promise<Reading[]> {
  const names = ['@rethread/core', '@rethread/store', '@rethread/simulator'];
  const thirdParty = names.flatMap((name) => {
    const { dependencies = {} } = require(`${name}/package.json`) as { dependencies?: Record<string, string> };
    return Object.keys(dependencies).filter((dependency) => !dependency.startsWith('@rethread/'));
  });
  return [
    { target: 'dependencies', on: 'core, store, simulator', ours: thirdParty.length },
    ...(await measureImports(rounds)),
    { target: 'bundleDetect', on: 'browser, minified', ours: await bundledKb('detectDialect') },
    { target: 'bundleRepair', on: 'browser, minified', ours: await bundledKb('check, repair') },
    ...(await measureStart(rounds)),
  ];
}

/** From the start of the command to its first line of output. */
export async function measureStart(rounds: number): Promise<Reading[]> {
  const starts = await fastest(
    {
      list: () => msToFirstLine([command]),
      help: () => msToFirstLine([command, '--help']),
      node: () => msToFirstLine(['-e', '0']),
    },
    { most: rounds, budgetMs: Infinity },
  );
  return [
    { target: 'firstLine', on: 'rethread', ours: starts.list, peer: starts.node },
    { target: 'firstLine', on: 'rethread --help', ours: starts.help, peer: starts.node },
  ];
}

/** The cost of an import over that of an empty module, each time in a fresh process. */
async function measureImports(rounds: number): Promise<Reading[]> {
  const subjects = { empty: 'data:text/javascript,', ours: '@rethread/store', peer: 'ai' };
  const read = async (name: string): Promise<{ ms: number; rss: number }> => {
    const script = `const start = performance.now(); await import('${name}'); const ms = performance.now() - start;
      process.stdout.write(JSON.stringify({ ms, rss: process.memoryUsage.rss() / 1e6 }));`;
    return JSON.parse(await runNode(['--input-type=module', '--eval', script])) as { ms: number; rss: number };
  };
  const rss: Record<string, number[]> = {};
  const importing = (name: string) => async (): Promise<number> => {
    const reading = await read(name);
    (rss[name] ??= []).push(reading.rss);
    return reading.ms;
  };
  const { empty, ours, peer } = subjects;
  const samplers = { empty: importing(empty), ours: importing(ours), peer: importing(peer) };
  const least = await fastest(samplers, { most: rounds, budgetMs: Infinity });
  const megabytes = (name: string): number => median(rss[name] ?? []) - median(rss[empty] ?? []);
  const on = 'in a fresh process';
  return [
    { target: 'importTime', on, ours: least.ours - least.empty, peer: least.peer - least.empty },
    { target: 'importMemory', on, ours: megabytes(ours), peer: megabytes(peer) },
  ];
}

async function bundledKb(imported: string): Promise<number> {
  const contents = `import { ${imported} } from '@rethread/core'; console.log(${imported});`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
  });
  return outputFiles.reduce((sum, file) => sum + file.contents.length, 0) / 1_000;
}

/** Until the first output, or until the end of a process that prints nothing. */
async function msToFirstLine(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  const first = new Promise<void>((resolve) => void child.stdout.once('data', () => resolve()));
  child.stdout.resume();
  await Promise.race([first, ended]);
  const ms = performance.now() - started;
  await ended;
  return ms;
}
