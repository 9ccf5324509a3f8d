import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root: string = fileURLToPath(new URL('../../../../', import.meta.url));
/** What is made here can be made again. */
export const cache: string = join(root, 'node_modules/.cache/behaviour');

/** What a bundle of the core is made of. */
const ARCHIVED = [
  'packages/core/src',
  'packages/core/package.json',
  'packages/core/tsconfig.json',
  'tsconfig.base.json',
];

/** The commit cannot be compared with, for a reason that is told in one sentence. */
export class NoReference extends Error {}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

function resolveCommit(name: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  } catch {
    throw new NoReference(
      `Commit ${name} is not in this clone; run "git fetch --unshallow", or choose another with --reference <commit>.`,
    );
  }
}

/** The public entries of the core below a folder, by the name under which the bundle exports them. */
function entryOf(home: string): string {
  const path = join(home, 'packages/core/package.json');
  const { exports } = JSON.parse(readFileSync(path, 'utf8')) as {
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const source = (entry: string): string => {
    const types = exports[entry]?.types;
    if (types === undefined) throw new NoReference(`The package of the core exports no ${entry}.`);
    return types.replace('./dist/', './packages/core/src/').replace(/\.d\.ts$/, '.ts');
  };
  return `export * from '${source('.')}';\nexport * as resume from '${source('./resume')}';\n`;
}

async function bundle(home: string, outfile: string): Promise<string> {
  await build({
    stdin: { contents: entryOf(home), resolveDir: home, loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'node22.13',
    charset: 'utf8',
    logLevel: 'error',
    outfile,
  });
  return outfile;
}

/** Bundles the core as it was at a commit; once for each commit. */
export async function bundleReference(name: string): Promise<{ readonly commit: string; readonly file: string }> {
  const commit = resolveCommit(name);
  const home = join(cache, commit);
  const file = join(home, 'core.mjs');
  if (existsSync(file)) return { commit, file };
  const fresh = `${home}.${String(process.pid)}`;
  mkdirSync(fresh, { recursive: true });
  const archive = execFileSync('git', ['archive', commit, ...ARCHIVED], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', fresh], { input: archive });
  await bundle(fresh, join(fresh, 'core.mjs'));
  rmSync(home, { recursive: true, force: true });
  renameSync(fresh, home);
  return { commit, file };
}

/** Bundles the core as it is in the working tree. */
export const bundleWorkingTree = (): Promise<string> => bundle(root, join(cache, 'working-tree.mjs'));
