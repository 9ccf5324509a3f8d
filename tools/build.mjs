import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { alone } from './alone.mjs';
import { cache, isMain, root } from './node.mjs';
import { runNode } from './run.mjs';

const core = join(root, 'packages/core');
const simulator = join(root, 'packages/simulator');
const store = join(root, 'packages/store');
const agent = join(root, 'packages/agent');
const adapters = join(root, 'packages/adapters');
const formats = join(root, 'packages/formats');
const cli = join(root, 'packages/cli');
const command = join(cli, 'dist/rethread.js');

const tools = ['build', 'bundle', 'examples-as-data', 'parts', 'rule-source'].map((name) => `tools/${name}.mjs`);
const inputs = ['package-lock.json', 'tsconfig.base.json', ...tools];

const filesBelow = (/** @type {string} */ folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));

const sources = () =>
  ['core', 'simulator', 'store', 'agent', 'adapters', 'formats', 'cli'].flatMap((name) => {
    const folder = `packages/${name}`;
    const files = filesBelow(join(root, folder, 'src')).map((path) => `${folder}/src/${path}`);
    return [`${folder}/package.json`, `${folder}/tsconfig.json`, ...files];
  });

const digest = () => {
  const hash = createHash('sha256');
  for (const path of [...inputs, ...sources()].sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return hash.digest('hex');
};

/**
 * Runs a step unless the sources are those of the last time it went well and its outcome is still there.
 *
 * @param {string} name
 * @param {string} outcome
 * @param {() => Promise<number>} step
 */
const unlessFresh = async (name, outcome, step) => {
  const stamp = join(cache, `${name}.stamp`);
  const wanted = digest();
  if (existsSync(outcome) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 0;
  const code = await step();
  if (code === 0) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(stamp, wanted);
  }
  return code;
};

const quiet = /** @type {import('node:child_process').SpawnOptions} */ ({ stdio: ['ignore', 2, 2] });

const bundle = () => runNode(['tools/bundle.mjs'], quiet);

const mains = ['index', 'resume/index', 'codecs/streams/index', 'conformance/index'];
const frameworks = ['ai-sdk', 'fetch', 'gpt-tokenizer', 'langchain', 'loop', 'openai-agents'];
const ports = ['ports/ai-sdk', 'ports/anthropic', 'ports/openai'];
const entries = [...mains, ...frameworks, ...ports];
const bundled = new Set([...entries, 'shared'].map((name) => `${name}.js`));

// The store has one file per driver, loaded by those who name it, and files that these share. So has the core for Node.
const isBundled = (/** @type {string} */ path) =>
  bundled.has(path.replace(/^node\//, '')) || /^(node\/)?parts\/[\w-]+\.js$/.test(path);

// tsc leaves behind what it made from sources that are gone.
const removeStale = (/** @type {string} */ home) => {
  const stems = new Set(filesBelow(join(home, 'src')).map((path) => path.replace(/\.ts$/, '')));
  for (const path of filesBelow(join(home, 'dist'))) {
    const made = path.endsWith('.d.ts') ? stems.has(path.replace(/\.d\.ts$/, '')) : isBundled(path);
    if (!made && !path.endsWith('.tsbuildinfo')) rmSync(join(home, 'dist', path));
  }
};

// The command's package re-exports the core, and its types must need no other package: they are the core's own.
const declare = async () => {
  const libraries = ['core', 'simulator', 'store', 'agent', 'adapters', 'formats'].map((name) => `packages/${name}`);
  const code = await runNode(['node_modules/typescript/bin/tsc', '-b', ...libraries], quiet);
  if (code !== 0) return code;
  for (const home of [core, simulator, store, agent, adapters, formats]) removeStale(home);
  for (const path of filesBelow(join(cli, 'dist'))) if (path.endsWith('.d.ts')) rmSync(join(cli, 'dist', path));
  for (const path of filesBelow(join(core, 'dist'))) {
    if (path.endsWith('.d.ts')) cpSync(join(core, 'dist', path), join(cli, 'dist', path));
  }
  return 0;
};

/**
 * Builds the command and the libraries (bundled files), and for `everything` also the declarations of the libraries.
 *
 * @param {'command' | 'everything'} what
 */
export const build = async (what) => {
  const code = await unlessFresh('bundle', command, bundle);
  if (code !== 0 || what === 'command') return code;
  return unlessFresh('declarations', join(cli, 'dist/index.d.ts'), declare);
};

if (isMain(import.meta.url)) process.exitCode = await alone(() => build('everything'));
