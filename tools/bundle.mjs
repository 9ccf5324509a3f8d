import { chmodSync, cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { build } from 'esbuild';

import { examplesAsData } from './examples-as-data.mjs';
import { isMain, root } from './node.mjs';

const cli = join(root, 'packages/cli');
const core = join(root, 'packages/core');
const simulator = join(root, 'packages/simulator');
const adapters = join(root, 'packages/adapters');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  format: 'esm',
  target: 'node22.13',
  charset: 'ascii',
  minify: true,
  plugins: [examplesAsData],
  logLevel: 'warning',
  alias: {
    '@rethread/core/resume': join(core, 'src/resume/index.ts'),
    '@rethread/core': join(core, 'src/index.ts'),
    '@rethread/simulator': join(simulator, 'src/index.ts'),
  },
};

/**
 * Bundles the command with everything it needs into one executable file.
 *
 * @param {string} outfile
 */
export const bundleCommand = async (outfile) => {
  await build({
    ...common,
    platform: 'node',
    entryPoints: [join(cli, 'src/main.ts')],
    outfile,
    banner: { js: '#!/usr/bin/env node' },
  });
  chmodSync(outfile, 0o755);
};

/**
 * A hundred small files take longer to find than to run: a library is loaded as one, with what its entry points share.
 *
 * @param {string} home
 * @param {Record<string, string>} entryPoints
 * @param {'neutral' | 'node'} platform
 */
const bundleLibrary = (home, entryPoints, platform) =>
  build({
    ...common,
    platform,
    entryPoints: Object.fromEntries(Object.entries(entryPoints).map(([out, path]) => [out, join(home, path)])),
    outdir: join(home, 'dist'),
    splitting: true,
    chunkNames: 'shared',
  });

/** One file per framework. Core and the frameworks stay packages of their own, so that nobody has either twice. */
const bundleAdapters = () => {
  const entryPoints = ['ai-sdk', 'fetch', 'gpt-tokenizer', 'langchain', 'loop', 'openai-agents'].map(
    (name) => `src/${name}.ts`,
  );
  return build({
    ...common,
    alias: {},
    packages: 'external',
    platform: 'neutral',
    entryPoints: entryPoints.map((path) => join(adapters, path)),
    outdir: join(adapters, 'dist'),
    splitting: true,
    chunkNames: 'shared',
  });
};

if (isMain(import.meta.url)) {
  await Promise.all([
    bundleCommand(join(cli, 'dist/rethread.js')),
    bundleLibrary(cli, { index: 'src/index.ts', 'resume/index': 'src/resume.ts' }, 'neutral'),
    bundleLibrary(core, { index: 'src/index.ts', 'resume/index': 'src/resume/index.ts' }, 'neutral'),
    bundleLibrary(simulator, { index: 'src/index.ts' }, 'node'),
    bundleAdapters(),
  ]);
  // The licence of what is bundled travels with the bundle.
  const commander = dirname(createRequire(join(cli, 'package.json')).resolve('commander'));
  cpSync(join(commander, 'LICENSE'), join(cli, 'dist/commander.LICENSE'));
}
