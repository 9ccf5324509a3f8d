import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { alone } from './alone.mjs';
import { cache, isMain, root } from './node.mjs';
import { runNode } from './run.mjs';

/** The packages that are published, by their folders, each after those that it depends on. */
export const packages = ['core', 'simulator', 'store', 'agent', 'adapters', 'formats', 'server', 'cli'];

/** All packages: the page of the inspector is published inside of the command. */
const built = [...packages, 'inspector'];

const inputs = ['package-lock.json', 'tsconfig.base.json', 'tools/build.mjs', 'tools/bundle.mjs', 'tools/packed.ts'];
const stamp = join(cache, 'build.stamp');
const outcome = join(root, 'packages/cli/dist/rethread.js');

const filesBelow = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

/** The digest of everything that decides what is published. */
export const digest = () => {
  const published = built.flatMap((name) => {
    const others = ['package.json', 'tsconfig.json', 'README.md', 'LICENSE'];
    return [...others.map((file) => `packages/${name}/${file}`), ...filesBelow(join(root, 'packages', name, 'src'))];
  });
  const hash = createHash('sha256');
  for (const path of [...inputs, ...published].sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
};

/**
 * Builds all packages, unless nothing has changed since the last time. The compiler writes modules and declarations;
 * esbuild writes the bundles for Node. Gives an exit code.
 */
export const build = async () => {
  const wanted = digest();
  if (existsSync(outcome) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 0;
  // The compiler leaves behind what it made from sources that are gone.
  for (const name of built) rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true });
  const projects = [...built.map((name) => `packages/${name}`), 'packages/inspector/src/page'];
  for (const step of [['node_modules/typescript/bin/tsc', '-b', ...projects], ['tools/bundle.mjs']]) {
    const code = await runNode(step, { stdio: ['ignore', 2, 2] });
    if (code !== 0) return code;
  }
  mkdirSync(cache, { recursive: true });
  writeFileSync(stamp, wanted);
  return 0;
};

if (isMain(import.meta.url)) process.exitCode = await alone(build);
