import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll } from 'vitest';

import { root } from '../../../tools/node.mjs';
import { packed } from '../../../tools/packed.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** More input could come after what is given. */
  readonly staysOpen?: true;
  /** Runs at a pseudo-terminal, which `script` of util-linux makes; all that is printed is standard output then. */
  readonly terminal?: true;
  /** How wide that terminal is. */
  readonly columns?: number;
}

let bundle: string | undefined;

/** A folder of its own for a test file; it goes away at the end. */
export function createFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'rethread-cli-'));
  afterAll(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/**
 * Makes a test file run the command as it is published; to be called at its top. The command is installed alone, or
 * beside the SDKs of this repository.
 */
export function bundleCommand(packages: 'alone' | 'with packages' = 'alone'): void {
  beforeAll(async () => {
    const { project } = await packed();
    const home = packages === 'alone' ? join(project, 'node_modules/rethread') : join(root, 'packages/cli');
    bundle = join(home, 'dist/rethread.js');
    // The first test file that asks packs the packages, and the others wait for it.
  }, 300_000);
}

/** The path of the command. */
export function commandPath(): string {
  if (bundle === undefined) throw new Error('the test file calls bundleCommand first');
  return bundle;
}

export interface Running {
  /** Everything printed so far. */
  readonly stdout: () => string;
  /** The first match of the pattern, as soon as it has been printed. */
  readonly printed: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Gives it more input. */
  readonly type: (text: string) => void;
  readonly ended: Promise<Ended>;
}

/** Whether there is a `script` that makes pseudo-terminals for commands. */
export const hasTerminals: boolean = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout);

const inQuotes = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** The program to start, and its arguments. */
function programOf(args: readonly string[], { terminal, columns }: RunOptions): [string, string[]] {
  const line = [process.execPath, commandPath(), ...args];
  if (terminal === undefined) return [process.execPath, line.slice(1)];
  const size = columns === undefined ? '' : `stty cols ${columns}; `;
  return ['script', ['-qefc', size + line.map(inQuotes).join(' '), '/dev/null']];
}

/** Starts the command in a process of its own. */
export function start(args: readonly string[], options: RunOptions = {}): Running {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...outer } = process.env;
  const env = { ...outer, ...options.env };
  const child = spawn(...programOf(args, options), { env, cwd: options.cwd });
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  const text = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString();
  child.stdout.on('data', (chunk: Uint8Array) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Uint8Array) => stderr.push(chunk));
  child.stdin.on('error', () => {
    // The command may end without reading what it was given.
  });
  if (options.staysOpen === true) child.stdin.write(options.input ?? '');
  else child.stdin.end(options.input ?? '');
  const ended = new Promise<Ended>((done) => {
    child.once('close', (code) => done({ code, stdout: text(stdout), stderr: text(stderr) }));
  });
  const printed = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((done, fail) => {
      const look = (): void => {
        const found = pattern.exec(text(stdout));
        if (found !== null) done(found);
      };
      child.stdout.on('data', look);
      child.once('close', () => fail(new Error(`ended without printing ${pattern}: ${text(stdout)}${text(stderr)}`)));
      look();
    });
  return {
    stdout: () => text(stdout),
    printed,
    signal: (signal) => void child.kill(signal),
    type: (more) => void child.stdin.write(more),
    ended,
  };
}

/** Runs the command in a process of its own and waits for its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return start(args, options).ended;
}

/** Writes a file into a new folder inside `parent`, so that what is left beside it can be counted. */
export function place(
  parent: string,
  name: string,
  content: string | Uint8Array,
): { path: string; files: () => string[] } {
  const own = mkdtempSync(join(parent, 'case-'));
  const path = join(own, name);
  writeFileSync(path, content);
  return { path, files: () => readdirSync(own).sort() };
}
