import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, test } from 'vitest';

import { packages } from './build.mjs';
import { root } from './node.mjs';
import { type Packed, packed } from './packed.ts';

type Entry = string | Readonly<Record<string, string>>;
type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly homepage: string;
  readonly bugs: { readonly url: string };
  readonly repository: { readonly type: string; readonly url: string; readonly directory: string };
  readonly exports: Readonly<Record<string, Entry>>;
};

let archives: Packed;
beforeAll(async () => {
  archives = await packed();
}, 300_000);

const node = (...args: string[]): string => execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });

const manifestIn = (home: string): Manifest => JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as Manifest;

const manifestOf = (name: string): Manifest => manifestIn(join(root, 'packages', name));

describe.each(packages)('the package in packages/%s', (name) => {
  const { name: published } = manifestOf(name);
  const home = (): string => join(archives.project, 'node_modules', published);
  const files = (): string[] =>
    readdirSync(home(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(home().length + 1));

  test('ships what was built with its source maps, its sources, its licence, and a page about it', () => {
    const kinds = [
      'dist/.*\\.(js|d\\.ts)(\\.map)?',
      'dist/[a-z]+\\.LICENSE',
      'dist/inspector/page/(page\\.css|index\\.html|icon\\.svg|LICENSES\\.txt)',
      'man/rethread\\.1',
      'schema/doctor\\.json',
      'src/.*\\.ts',
      'LICENSE|README\\.md|package\\.json',
    ];
    const known = new RegExp(`^(${kinds.join('|')})$`);
    expect(files().filter((path) => !known.test(path))).toEqual([]);
    expect(files()).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
    for (const entry of Object.values(manifestOf(name).exports)) {
      for (const path of Object.values(entry).filter((value) => value.startsWith('./'))) {
        expect(existsSync(join(home(), path))).toBe(true);
      }
    }
  });

  test('is readable: no line of a script is longer than people write them', () => {
    const scripts = files().filter((path) => path.endsWith('.js'));
    const mean = scripts.map((path) => {
      const text = readFileSync(join(home(), path), 'utf8');
      return [path, text.length / text.split('\n').length] as const;
    });
    expect(mean.filter(([, length]) => length > 120)).toEqual([]);
  });

  test('every source map leads to sources that are shipped', () => {
    for (const path of files().filter((each) => each.endsWith('.js.map'))) {
      const { sources } = JSON.parse(readFileSync(join(home(), path), 'utf8')) as { sources: string[] };
      const ours = sources.filter((source) => !source.includes('/node_modules/'));
      expect(ours.filter((source) => !existsSync(join(home(), path, '..', source)))).toEqual([]);
    }
  });

  test('is published as publint and attw want it', () => {
    const archive = archives.archive(name);
    expect(node('node_modules/publint/src/cli.js', 'run', archive, '--strict')).toContain('All good!');
    const attw = 'node_modules/@arethetypeswrong/cli/dist/index.js';
    const types = node(attw, archive, '--profile', 'esm-only', '--format', 'ascii');
    expect(types).toContain('node16 (from ESM): 🟢');
  });

  test('says where it comes from, and its page has no link that only works in the repository', () => {
    const { homepage, bugs, repository } = manifestOf(name);
    const [home] = homepage.split('#');
    expect(repository).toEqual({ type: 'git', url: `git+${home}.git`, directory: `packages/${name}` });
    expect(bugs.url).toBe(`${home}/issues`);
    const page = readFileSync(join(root, 'packages', name, 'README.md'), 'utf8');
    const targets = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    expect(targets.filter((link) => !link.startsWith(`${home}/blob/main/`) && !link.startsWith('#'))).toEqual([]);
  });

  // npm refuses to install beside a peer of another version, even when the peer is optional.
  test('depends on nothing but our packages of the same version, and has no peers', () => {
    const { version, dependencies = {}, ...others } = manifestOf(name);
    expect(Object.keys(others).filter((key) => /dependencies/i.test(key) && key !== 'devDependencies')).toEqual([]);
    const ours = packages.map((other) => manifestOf(other).name);
    expect(Object.keys(dependencies).filter((each) => !ours.includes(each))).toEqual([]);
    expect(Object.values(dependencies).filter((each) => each !== version)).toEqual([]);
  });
});

test('an installation brings our packages, each once, and no other', () => {
  const modules = join(archives.project, 'node_modules');
  const found = (folder: string): string[] =>
    readdirSync(join(modules, folder)).filter((each) => !each.startsWith('.'));
  expect(found('').sort()).toEqual(['@rethread', 'rethread']);
  expect(found('@rethread').sort()).toEqual(packages.filter((name) => name !== 'cli').sort());
  const nested = readdirSync(modules, { recursive: true, encoding: 'utf8' });
  expect(nested.filter((path) => path.includes('/node_modules'))).toEqual([]);
});

test('the installed command starts', () => {
  const command = join(archives.project, 'node_modules/.bin/rethread');
  const printed = execFileSync(command, ['--version'], { encoding: 'utf8' });
  expect(printed.trim()).toBe(manifestOf('cli').version);
});
