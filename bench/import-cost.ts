import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runNode } from './child.ts';
import { median } from './measure.ts';

export type ImportCost = { name: string; ms: number; rssMegabytes: number };
export type ImportCosts = { runtimeDependencies: number; core: ImportCost; peers: ImportCost[] };

type Reading = { ms: number; rss: number };

const emptyModule = 'data:text/javascript,';
const script = (url: string): string => `
  const start = performance.now();
  await import(${JSON.stringify(url)});
  const ms = performance.now() - start;
  process.stdout.write(JSON.stringify({ ms, rss: process.memoryUsage.rss() }));
`;

/** What importing a package costs over importing an empty module, each time in a fresh process. */
export async function measureImports(rounds: number): Promise<ImportCosts> {
  const packages = ['@rethread/core', 'ai', '@langchain/core/messages'];
  const urls = new Map(packages.map((name) => [name, import.meta.resolve(name)]));
  const readings = new Map([emptyModule, ...packages].map((name) => [name, [] as Reading[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, list] of readings) list.push(await importOnce(urls.get(name) ?? emptyModule));
  }
  const costs = packages.map((name) => costOver(name, readings.get(name) ?? [], readings.get(emptyModule) ?? []));
  const [core, ...peers] = costs;
  if (core === undefined) throw new Error('the core was measured');
  return { runtimeDependencies: await countRuntimeDependencies(), core, peers };
}

async function importOnce(url: string): Promise<Reading> {
  return JSON.parse(await runNode(['--input-type=module', '--eval', script(url)])) as Reading;
}

function costOver(name: string, readings: readonly Reading[], empty: readonly Reading[]): ImportCost {
  const over = (pick: (reading: Reading) => number): number => median(readings.map(pick)) - median(empty.map(pick));
  return { name, ms: over(({ ms }) => ms), rssMegabytes: over(({ rss }) => rss) / 1e6 };
}

async function countRuntimeDependencies(): Promise<number> {
  const manifest = await readFile(fileURLToPath(import.meta.resolve('@rethread/core/package.json')), 'utf8');
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
  return Object.keys(dependencies).length;
}
