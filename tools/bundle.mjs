import { chmodSync, cpSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, parse } from 'node:path';

import { build } from 'esbuild';

import { examplesAsData } from './examples-as-data.mjs';
import { isMain, root } from './node.mjs';
import { buildOneFile } from './one-file.mjs';
import { inParts, partEntries } from './parts.mjs';

const cli = join(root, 'packages/cli');
const core = join(root, 'packages/core');
const simulator = join(root, 'packages/simulator');
const store = join(root, 'packages/store');
const adapters = join(root, 'packages/adapters');
const agent = join(root, 'packages/agent');
const formats = join(root, 'packages/formats');

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
    '@rethread/core/streams': join(core, 'src/codecs/streams/index.ts'),
    '@rethread/core': join(core, 'src/index.ts'),
    '@rethread/simulator': join(simulator, 'src/index.ts'),
    '@rethread/store': join(store, 'src/index.ts'),
    '@rethread/agent/anthropic': join(agent, 'src/ports/anthropic.ts'),
    '@rethread/agent/openai': join(agent, 'src/ports/openai.ts'),
    '@rethread/agent': join(agent, 'src/index.ts'),
  },
};

/**
 * Bundles the command with everything it needs: one executable file, and beside it parts that only some commands load,
 * such as the agent and the drivers of the store. SDKs and database clients stay packages of those who have them.
 *
 * @param {string} outfile
 */
export const bundleCommand = async (outfile) => {
  const { dir, name, ext } = parse(outfile);
  rmSync(join(dir, 'parts'), { recursive: true, force: true });
  await build({
    ...common,
    platform: 'node',
    entryPoints: { [name]: join(cli, 'src/main.ts') },
    outdir: dir,
    outExtension: { '.js': ext },
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    external: ['@anthropic-ai/sdk', '@opentelemetry/api', 'openai', 'pg'],
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

/**
 * The core once more, for Node, which can load a module in the middle of a function: see `parts.mjs`.
 *
 * @param {string} home
 */
const bundleInParts = (home) => {
  const outdir = join(home, 'dist/node');
  rmSync(outdir, { recursive: true, force: true });
  return buildOneFile(
    {
      ...common,
      plugins: [inParts],
      platform: 'node',
      entryPoints: partEntries,
      outdir,
      chunkNames: 'parts/[name]-[hash]',
    },
    join(outdir, 'index.js'),
  );
};

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

/**
 * Has esbuild keep all of the store in one file: its drivers import it, and it imports what several of them need.
 *
 * @type {import('esbuild').Plugin}
 */
const storeInOneFile = {
  name: 'store-in-one-file',
  setup(building) {
    const add = (/** @type {RegExp} */ filter, /** @type {string} */ path) =>
      building.onLoad({ filter }, async ({ path: importer }) => ({
        contents: `import ${JSON.stringify(join(store, 'src', path))};\n${await readFile(importer, 'utf8')}`,
        loader: 'ts',
      }));
    add(/store[\\/]src[\\/]index\.ts$/, 'drivers/path-in-url.ts');
    add(/store[\\/]src[\\/](drivers[\\/]\w+|conformance[\\/]index)\.ts$/, 'index.ts');
  },
};

/** Drivers are loaded by those who name one, so that importing the store costs what the store itself costs. */
const bundleStore = () => {
  rmSync(join(store, 'dist/parts'), { recursive: true, force: true });
  return buildOneFile(
    {
      ...common,
      plugins: [storeInOneFile],
      alias: {},
      packages: 'external',
      platform: 'node',
      entryPoints: { index: join(store, 'src/index.ts'), 'conformance/index': join(store, 'src/conformance/index.ts') },
      outdir: join(store, 'dist'),
      chunkNames: 'parts/[name]-[hash]',
    },
    join(store, 'dist/index.js'),
  );
};

/** The loop, and one file for each kind of model: the SDKs stay packages of those who have them. */
const bundleAgent = () => {
  rmSync(join(agent, 'dist/parts'), { recursive: true, force: true });
  return build({
    ...common,
    alias: {},
    packages: 'external',
    platform: 'node',
    entryPoints: {
      index: join(agent, 'src/index.ts'),
      'ports/ai-sdk': join(agent, 'src/ports/ai-sdk.ts'),
      'ports/anthropic': join(agent, 'src/ports/anthropic.ts'),
      'ports/openai': join(agent, 'src/ports/openai.ts'),
    },
    outdir: join(agent, 'dist'),
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
  });
};

/** Core stays a package of its own, so that nobody has it twice. */
const bundleFormats = () =>
  build({
    ...common,
    alias: {},
    packages: 'external',
    platform: 'node',
    entryPoints: { index: join(formats, 'src/index.ts') },
    outdir: join(formats, 'dist'),
  });

if (isMain(import.meta.url)) {
  await Promise.all([
    bundleCommand(join(cli, 'dist/rethread.js')),
    bundleLibrary(cli, { index: 'src/index.ts', 'resume/index': 'src/resume.ts' }, 'neutral'),
    bundleLibrary(
      core,
      {
        index: 'src/index.ts',
        'resume/index': 'src/resume/index.ts',
        'codecs/streams/index': 'src/codecs/streams/index.ts',
      },
      'neutral',
    ),
    bundleInParts(core),
    bundleInParts(cli),
    bundleLibrary(simulator, { index: 'src/index.ts' }, 'node'),
    bundleStore(),
    bundleAdapters(),
    bundleAgent(),
    bundleFormats(),
  ]);
  // The licence of what is bundled travels with the bundle.
  const commander = dirname(createRequire(join(cli, 'package.json')).resolve('commander'));
  cpSync(join(commander, 'LICENSE'), join(cli, 'dist/commander.LICENSE'));
}
