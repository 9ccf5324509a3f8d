import { chmodSync, cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { build } from 'esbuild';

import { root } from './node.mjs';

const cli = join(root, 'packages/cli');
const library = join(root, 'packages/core');
const core = join(library, 'src');
const dist = join(cli, 'dist');

/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  format: 'esm',
  target: 'node22.13',
  charset: 'utf8',
  logLevel: 'warning',
  alias: {
    '@rethread/core/resume': join(core, 'resume/index.ts'),
    '@rethread/core': join(core, 'index.ts'),
  },
};

await Promise.all([
  build({
    ...common,
    platform: 'node',
    entryPoints: [join(cli, 'src/main.ts')],
    outfile: join(dist, 'rethread.js'),
    banner: { js: '#!/usr/bin/env node' },
  }),
  build({
    ...common,
    platform: 'neutral',
    entryPoints: { index: join(cli, 'src/index.ts'), 'resume/index': join(cli, 'src/resume.ts') },
    outdir: dist,
    splitting: true,
    chunkNames: 'shared',
  }),
  // A hundred small files take longer to find than to run: the library is loaded as one.
  build({
    ...common,
    platform: 'neutral',
    entryPoints: { index: join(core, 'index.ts'), 'resume/index': join(core, 'resume/index.ts') },
    outdir: join(library, 'dist'),
    splitting: true,
    chunkNames: 'shared',
  }),
]);

chmodSync(join(dist, 'rethread.js'), 0o755);

// The licence of what is bundled travels with the bundle.
const commander = dirname(createRequire(join(cli, 'package.json')).resolve('commander'));
cpSync(join(commander, 'LICENSE'), join(dist, 'commander.LICENSE'));
