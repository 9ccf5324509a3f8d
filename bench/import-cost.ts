import { copyFile, cp, link, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runNode } from './child.ts';
import { median } from './measure.ts';

export type ImportCost = { name: string; ms: number; rssMegabytes: number };
export type ImportCosts = { runtimeDependencies: number; ours: ImportCost[]; peers: ImportCost[] };

type Reading = { ms: number; rss: number };
type Subject = { name: string; urls: readonly string[] };

const ours = ['@rethread/core', '@rethread/store'] as const;
const peers = ['ai', '@langchain/core/messages'] as const;

const script = (urls: readonly string[]): string => `
  const start = performance.now();
  ${urls.map((url) => `await import(${JSON.stringify(url)});`).join('\n')}
  const ms = performance.now() - start;
  process.stdout.write(JSON.stringify({ ms, rss: process.memoryUsage.rss() }));
`;

/** What importing a package costs over importing an empty module, each time in a fresh process. */
export async function measureImports(rounds: number): Promise<ImportCosts> {
  // A workspace links its packages, and Node takes longer to follow links than to find what npm has installed. The name
  // is short, because long paths alone make Node's memory grow by 1.9 MB. The
  // path of Node itself counts as well, so that it is put there too.
  const folder = await mkdtemp(join(tmpdir(), 'rt-'));
  try {
    const installed = await install(folder);
    const others = peers.map((name) => ({ name, urls: [import.meta.resolve(name)] }));
    const [empty, ...rest] = await readInTurn(
      [{ name: '', urls: ['data:text/javascript,'] }, ...installed, ...others],
      { rounds, node: await nodeIn(folder) },
    );
    const costs = rest.map(({ name, readings }) => costOver(name, readings, empty?.readings ?? []));
    const runtimeDependencies = await countRuntimeDependencies();
    return { runtimeDependencies, ours: costs.slice(0, installed.length), peers: costs.slice(installed.length) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts what is published of our packages where npm would, and says what there is to import. */
async function install(folder: string): Promise<Subject[]> {
  const home = (name: string): string => join(folder, 'node_modules', name);
  for (const name of ours) {
    const manifest = fileURLToPath(import.meta.resolve(`${name}/package.json`));
    await cp(manifest, join(home(name), 'package.json'));
    await cp(join(manifest, '../dist'), join(home(name), 'dist'), { recursive: true });
  }
  const { resolve } = createRequire(join(folder, 'program.js'));
  const [core, store] = ours.map((name) => pathToFileURL(resolve(name)).href) as [string, string];
  return [
    { name: 'core', urls: [core] },
    // The store imports the core itself. Its drivers are loaded when one is opened, and measured there.
    { name: 'core and store', urls: [store] },
  ];
}

/** A second name for this Node, or a copy of it where the folder is on another disk. */
async function nodeIn(folder: string): Promise<string> {
  const node = join(folder, 'node');
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
  return node;
}

/** Takes turns, so that whatever else the machine does is spread over all. */
async function readInTurn(
  subjects: readonly Subject[],
  { rounds, node }: { rounds: number; node: string },
): Promise<{ name: string; readings: Reading[] }[]> {
  const all = subjects.map(({ name, urls }) => ({ name, urls, readings: [] as Reading[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { urls, readings } of all) {
      readings.push(JSON.parse(await runNode(['--input-type=module', '--eval', script(urls)], { node })) as Reading);
    }
  }
  return all;
}

function costOver(name: string, readings: readonly Reading[], empty: readonly Reading[]): ImportCost {
  const least = (all: readonly Reading[]): number => Math.min(...all.map(({ ms }) => ms));
  const usual = (all: readonly Reading[]): number => median(all.map(({ rss }) => rss));
  return { name, ms: least(readings) - least(empty), rssMegabytes: (usual(readings) - usual(empty)) / 1e6 };
}

async function countRuntimeDependencies(): Promise<number> {
  const manifest = await readFile(fileURLToPath(import.meta.resolve('@rethread/core/package.json')), 'utf8');
  const { dependencies = {} } = JSON.parse(manifest) as { dependencies?: Record<string, string> };
  return Object.keys(dependencies).length;
}
