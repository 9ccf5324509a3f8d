import { chmodSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';

import { root } from './node.mjs';

/**
 * @typedef {object} Bundle
 * @property {string} name The folder of the package.
 * @property {string} outdir
 * @property {Record<string, string>} entries
 * @property {import('esbuild').BuildOptions} [options]
 */

/**
 * The inspector is no package of its own on npm: the parts of the command load it from a folder beside theirs.
 *
 * @type {import('esbuild').Plugin}
 */
const inspectorInside = {
  name: 'inspector-inside',
  setup(build) {
    build.onResolve({ filter: /^@rethread\/inspector$/ }, () => ({ path: '../inspector/index.js', external: true }));
  },
};

/** @type {readonly Bundle[]} */
const bundles = [
  {
    name: 'core',
    // Bundlers take the modules that the compiler writes, because they can leave modules out.
    outdir: 'dist/node',
    entries: { index: 'index', examples: 'examples', 'resume/index': 'resume/index', 'streams/index': 'streams/index' },
    // Wrapping every function to keep its name adds 6 ms and 4 MB to an import; no exported class needs it.
    options: { keepNames: false },
  },
  { name: 'formats', outdir: 'dist', entries: { index: 'index' } },
  { name: 'simulator', outdir: 'dist', entries: { index: 'index' } },
  {
    name: 'server',
    outdir: 'dist',
    entries: { index: 'index' },
    // The SDK of MCP and what it needs are in parts of their own, which load when MCP is served.
    options: { packages: 'bundle', external: ['@rethread/*', '@opentelemetry/api'] },
  },
  { name: 'store', outdir: 'dist', entries: { index: 'index', 'conformance/index': 'conformance/index' } },
  {
    name: 'agent',
    outdir: 'dist',
    entries: {
      index: 'index',
      'ports/ai-sdk': 'ports/ai-sdk',
      'ports/anthropic': 'ports/anthropic',
      'ports/openai': 'ports/openai',
    },
  },
  // Without maps: its sources are not shipped with the command, which contains it.
  {
    name: 'inspector',
    outdir: 'dist',
    entries: { index: 'index', reader: 'reader/main' },
    options: { sourcemap: false },
  },
  {
    name: 'inspector',
    outdir: 'dist/page',
    entries: { page: 'page/main.tsx' },
    options: {
      platform: 'browser',
      target: 'es2023',
      packages: 'bundle',
      sourcemap: false,
      splitting: false,
      jsx: 'automatic',
      jsxImportSource: 'preact',
      keepNames: false,
    },
  },
  {
    name: 'inspector',
    outdir: 'dist/page',
    entries: { page: 'page/page.css' },
    options: { platform: 'browser', packages: 'bundle', sourcemap: false, splitting: false },
  },
  {
    name: 'cli',
    outdir: 'dist',
    entries: { index: 'index', resume: 'resume', streams: 'streams', rethread: 'main' },
    // Of other people's packages the command contains commander, and no other.
    options: { packages: 'bundle', plugins: [inspectorInside], external: ['@rethread/*'] },
  },
];

/** @param {string} path */
const sourceOf = (path) => (existsSync(path) ? path : `${path}.ts`);

/**
 * Joins the modules of one package for Node, which takes 0.3 ms to find and load each. Names and line breaks stay, and
 * source maps lead to the sources. Other packages stay packages.
 *
 * @param {Bundle} bundle
 */
async function bundlePackage({ name, outdir, entries, options }) {
  const home = join(root, 'packages', name);
  rmSync(join(home, outdir, 'parts'), { recursive: true, force: true });
  await build({
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.13',
    // V8 keeps a source in one byte a character only if all of it is ASCII.
    charset: 'ascii',
    keepNames: true,
    packages: 'external',
    sourcemap: true,
    sourcesContent: false,
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    logLevel: 'warning',
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([out, path]) => [out, sourceOf(join(home, 'src', path))]),
    ),
    outdir: join(home, outdir),
    ...options,
  });
}

await Promise.all(bundles.map(bundlePackage));
const cli = join(root, 'packages/cli');
const inspector = join(root, 'packages/inspector');
for (const file of ['index.html', 'icon.svg']) {
  cpSync(join(inspector, 'src/page', file), join(inspector, 'dist/page', file));
}
const inside = join(cli, 'dist/inspector');
rmSync(inside, { recursive: true, force: true });
cpSync(join(inspector, 'dist/page'), join(inside, 'page'), { recursive: true });
cpSync(join(inspector, 'dist/parts'), join(inside, 'parts'), { recursive: true });
for (const file of ['index.js', 'reader.js']) cpSync(join(inspector, 'dist', file), join(inside, file));
const licences = ['preact', 'uplot', 'diff'].map((name) => {
  const folder = join(root, 'node_modules', name);
  return `${name}\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8')}`;
});
writeFileSync(join(inside, 'page/LICENSES.txt'), licences.join('\n\n'));
chmodSync(join(cli, 'dist/rethread.js'), 0o755);
// The licence of what is bundled travels with the bundle.
const bundled = [
  ['cli', 'commander', 'node_modules/commander'],
  ['server', 'modelcontextprotocol', 'node_modules/@modelcontextprotocol/server'],
  ['server', 'zod', 'node_modules/zod'],
];
for (const [name = '', licence = '', folder = ''] of bundled) {
  cpSync(join(root, folder, 'LICENSE'), join(root, 'packages', name, `dist/${licence}.LICENSE`));
}
