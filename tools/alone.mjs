import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { root } from './node.mjs';

const graceMs = 5000;

const codeOf = (/** @type {unknown} */ error) => /** @type {NodeJS.ErrnoException} */ (error).code;

const holder = (/** @type {string} */ folder) => {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8'));
  } catch {
    return 0;
  }
};

const running = (/** @type {number} */ pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
};

// A folder that names no process was made this very moment, or by one that died in between.
const abandoned = (/** @type {string} */ folder) => {
  const pid = holder(folder);
  if (pid > 0) return !running(pid);
  const { mtimeMs } = statSync(folder, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > graceMs;
};

const claim = (/** @type {string} */ folder) => {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    return false;
  }
  writeFileSync(join(folder, 'pid'), String(process.pid));
  return true;
};

/**
 * Does the work while no other process of this clone does any: two installs at once would destroy each other.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} folder
 * @returns {Promise<T>}
 */
export const alone = async (work, folder = join(root, '.setup-lock')) => {
  const release = () => rmSync(folder, { recursive: true, force: true });
  while (!claim(folder)) {
    if (abandoned(folder)) release();
    else await sleep(50);
  }
  process.once('exit', release);
  try {
    return await work();
  } finally {
    release();
    process.off('exit', release);
  }
};
