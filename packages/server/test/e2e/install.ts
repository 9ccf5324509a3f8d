import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export type Package = { readonly name: string; readonly version: string };

/** Installs a program from npm into a cache outside of the repository, once for each version; gives its folder. */
export async function install({ name, version }: Package, cache: string): Promise<string> {
  const folder = join(cache, `${name.replace('/', '+')}@${version}`);
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(manifest)) {
    await mkdir(folder, { recursive: true });
    const options = ['--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
    await execute('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`], { cwd: folder });
  }
  const found = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
  if (found !== version) throw new Error(`${name}: found ${found} instead of ${version}`);
  return join(folder, 'node_modules');
}
