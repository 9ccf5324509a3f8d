import { spawn } from 'node:child_process';
import { constants } from 'node:os';

import { nodePath, root } from './node.mjs';

const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program with our own standard streams, passes signals on to it, and gives its exit code.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export const run = (command, args, options = {}) =>
  new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    const pass = (/** @type {NodeJS.Signals} */ signal) => {
      // A terminal sends its interrupt to the child as well, and twice is often read as "at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, pass);
    const release = () => {
      for (const signal of signals) process.off(signal, pass);
    };
    child.once('error', (error) => {
      release();
      fail(error);
    });
    child.once('exit', (code, signal) => {
      release();
      done(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });

/**
 * Runs a script with the Node of the repository.
 *
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number>}
 */
export const runNode = (args, options) => run(nodePath(), args, options);
