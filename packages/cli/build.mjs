import { chmod } from 'node:fs/promises';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Bundles the command with everything it needs into one executable file.
 *
 * @param {string} outfile
 */
export const bundleCommand = async (outfile) => {
  await build({
    entryPoints: [here('src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node22.13',
    format: 'esm',
    charset: 'utf8',
    legalComments: 'eof',
    logLevel: 'warning',
    banner: { js: '#!/usr/bin/env node' },
    alias: { '@rethread/core': here('../core/src/index.ts') },
  });
  await chmod(outfile, 0o755);
};

if (argv[1] === fileURLToPath(import.meta.url)) await bundleCommand(argv[2] ?? here('dist/rethread.js'));
