import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import * as core from '@rethread/core';
import { root } from './node.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rethread-packages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (cwd: string, command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const node = (cwd: string, ...args: string[]): string => run(cwd, process.execPath, ...args);

type Packed = { readonly archive: string; readonly files: string[] };
const packed = new Map<string, Packed>();

/** What npm would upload: the archive, and the files in it. */
const pack = (name: string): Packed => {
  const known = packed.get(name) ?? packAnew(name);
  packed.set(name, known);
  return known;
};

const packAnew = (name: string): Packed => {
  const home = join(root, 'packages', name);
  const [told] = JSON.parse(run(home, 'npm', 'pack', '--json', '--pack-destination', folder)) as [
    { filename: string; files: { path: string }[] },
  ];
  return { archive: join(folder, told.filename), files: told.files.map(({ path }) => path) };
};

beforeAll(() => node(root, 'tools/build.mjs'));

const repairing = (name: string): string => `import { repair } from '${name}';
  import { runCleanupLoop } from '${name}/resume';
  console.log(typeof repair, typeof runCleanupLoop);`;

const serving = `import { createSimulator, judge } from '@rethread/simulator';
  await (await createSimulator()).close();
  console.log(typeof createSimulator, typeof judge);`;

// The drivers are files of their own, found from wherever the package is installed.
const storing = `import { open } from '@rethread/store';
  import { conformance } from '@rethread/store/conformance';
  for (const url of ['memory:', 'sqlite:./sessions.db', 'file:./sessions']) {
    const store = await open(url);
    await (await store.create()).append({ kind: 'note', data: url });
    await store.close();
  }
  console.log(typeof open, typeof conformance);`;

// The SDKs are optional: without them the loop runs with a model of its own.
const looping = `import { createAgent, scripted } from '@rethread/agent';
  import { open } from '@rethread/store';
  const store = await open('memory:');
  const agent = createAgent({ store, model: scripted({ replies: [{ text: 'Hello.' }] }) });
  const { text } = await agent.run('s', 'Hi.').result;
  if (text !== 'Hello.') throw new Error(text);
  await store.close();
  console.log(typeof createAgent, typeof scripted);`;

// The entry points whose framework is there only in types work without it.
const adapting = `import { repairingFetch } from '@rethread/adapters/fetch';
  import { settle } from '@rethread/adapters/loop';
  await import('@rethread/adapters/ai-sdk');
  await import('@rethread/adapters/openai-agents');
  console.log(typeof repairingFetch, typeof settle);`;

const reading = `import { openSession, sessions } from '@rethread/formats';
  const { faults } = await openSession('package.json');
  if (faults[0]?.kind !== 'unknown-format') throw new Error(JSON.stringify(faults));
  console.log(typeof openSession, typeof sessions);`;

/** What each package is tried with, and the packages of ours that come with it. */
const PACKAGES = [
  { name: 'core', program: repairing('@rethread/core'), with: [] },
  { name: 'simulator', program: serving, with: [] },
  { name: 'store', program: storing, with: ['core'] },
  { name: 'agent', program: looping, with: ['core', 'store'] },
  { name: 'adapters', program: adapting, with: ['core'] },
  { name: 'formats', program: reading, with: ['core'] },
  { name: 'cli', program: repairing('rethread'), with: [] },
] as const;

test.each(['index.js', 'node/index.js'])('the rules in %s have the examples of the sources', async (file) => {
  const built = (await import(join(root, 'packages/core/dist', file))) as typeof core;
  expect(built.rules()).toEqual(core.rules());
});

describe.each(PACKAGES)('the package in packages/$name', ({ name, program, with: others }) => {
  let archive = '';
  let files: string[] = [];
  beforeAll(() => {
    ({ archive, files } = pack(name));
  });

  test('ships what was built, its licence, a page about it, and no source', () => {
    const known = /^(dist\/.*\.(js|d\.ts)|dist\/commander\.LICENSE|LICENSE|README\.md|package\.json)$/;
    expect(files.filter((path) => !known.test(path))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
    expect(files).toContain(name === 'adapters' ? 'dist/fetch.js' : 'dist/index.js');
  });

  // V8 keeps a source as bytes while all of it is ASCII, and else as twice as many.
  test('is ASCII throughout', () => {
    const scripts = files.filter((path) => path.endsWith('.js'));
    const sources = scripts.map((path) => [path, readFileSync(join(root, 'packages', name, path), 'utf8')] as const);
    expect(sources.filter(([, source]) => /[^\0-\x7f]/.test(source)).map(([path]) => path)).toEqual([]);
  });

  test('is published as publint and attw want it', () => {
    expect(node(root, 'node_modules/publint/src/cli.js', 'run', archive, '--strict')).toContain('All good!');
    const attw = 'node_modules/@arethetypeswrong/cli/dist/index.js';
    const types = node(root, attw, archive, '--profile', 'esm-only', '--format', 'ascii');
    expect(types).toContain('node16 (from ESM): 🟢');
  });

  test('installs with nothing but what is ours', () => {
    const home = mkdtempSync(join(folder, `${name}-`));
    writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    const archives = [archive, ...others.map((other) => pack(other).archive)];
    run(home, 'npm', 'install', '--offline', '--no-audit', '--no-fund', ...archives);
    const { name: published } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
      name: string;
    };
    const top = readdirSync(join(home, 'node_modules')).filter((entry) => !entry.startsWith('.'));
    expect(top).toEqual([published.split('/')[0]]);
    expect(node(home, '--input-type=module', '--eval', program)).toBe('function function\n');
  });
});

test('the installed command starts', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { version: string };
  expect(run(root, join(root, 'packages/cli/dist/rethread.js'), '--version').trim()).toBe(version);
});
