import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, posix } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Block, anchorsOf, blocksOf, linksOf, sessionsOf } from './docs-blocks.ts';
import { oldestNode, root } from './node.mjs';
import { packed } from './packed.ts';
import { filesBelow } from './sources.ts';

const always = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const pages = [...always, ...['docs', 'packages'].flatMap(filesBelow).filter((path) => path.endsWith('.md'))];
const textOf = (page: string): string => (existsSync(join(root, page)) ? readFileSync(join(root, page), 'utf8') : '');
const blocks = pages.flatMap((page) => blocksOf(page, textOf(page)));

let equipped = '';
beforeAll(async () => {
  ({ equipped } = await packed());
}, 300_000);

type Outcome = { readonly code: number; readonly output: string };

const run = (args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<Outcome> =>
  new Promise((done) => {
    const [command = '', ...rest] = args;
    execFile(command, rest, options, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, output: stdout + stderr });
    });
  });

const nameOf = ({ page, line }: Block): string => `${page.replace(/[^\w]/g, '-')}-${line}.ts`;

/** What a compiler says about the blocks in a project of a user, with the options that `tsc --init` would set. */
const compile = async (typed: readonly Block[]): Promise<string> => {
  const folder = await mkdtemp(join(equipped, 'docs-'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024', 'esnext.disposable'],
    module: 'nodenext',
    skipLibCheck: true,
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  for (const block of typed) writeFileSync(join(folder, nameOf(block)), `${block.body}export {};\n`);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { output } = await run([process.execPath, tsc, '-p', folder, '--pretty', 'false'], { cwd: folder });
  rmSync(folder, { recursive: true });
  return output;
};

test.each(always)('%s is there', (page) => {
  expect(textOf(page)).not.toBe('');
});

test('ARCHITECTURE.md can be read in one sitting: at most 200 lines', () => {
  expect(textOf('ARCHITECTURE.md').split('\n').length - 1).toBeLessThanOrEqual(200);
});

describe('every TypeScript block of the pages compiles', () => {
  const typed = blocks.filter(({ language }) => language === 'ts');
  let output = '';
  beforeAll(async () => {
    output = await compile(typed);
  });

  test('the compiler runs over the blocks and finds nothing anywhere else', () => {
    const elsewhere = output.split('\n').filter((line) => !typed.some((block) => line.startsWith(nameOf(block))));
    expect(elsewhere.filter((line) => line.trim() !== '' && !line.startsWith(' '))).toEqual([]);
  });

  test.each(typed.map((block) => [`${block.page}:${block.line}`, block] as const))('%s', (_, block) => {
    expect(output.split('\n').filter((line) => line.startsWith(nameOf(block)))).toEqual([]);
  });

  test('a block in another spelling of the language would not be seen, so there is none', () => {
    expect(blocks.filter(({ language }) => /^(typescript|tsx|js|javascript|mjs)$/.test(language))).toEqual([]);
  });
});

const strips = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];

/** The nodes that pages are tried with; programs also on the oldest that is promised, where it is installed. */
const nodes = [
  { on: 'this Node', node: [process.execPath], tried: /^/ },
  { on: 'the oldest Node', node: [oldestNode, ...strips], tried: /^(?:\$ )?node \S+\.ts/m },
].filter(({ node: [path = ''] }) => existsSync(path));

describe.each(nodes)('every command whose output a page shows prints just that on $on', ({ node, tried }) => {
  const folder = mkdtempSync(join(tmpdir(), 'rethread-docs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const rooms = new Map<string, string>();
  const roomOf = (page: string): string => {
    const room = rooms.get(page) ?? mkdtempSync(join(folder, 'page-'));
    rooms.set(page, room);
    return room;
  };

  const placeCommand = (name: string, words: readonly string[]): void => {
    const line = words.map((word) => `'${word}'`).join(' ');
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
  };

  beforeAll(() => {
    mkdirSync(join(folder, 'bin'));
    placeCommand('rethread', [...node, join(equipped, 'node_modules/rethread/dist/rethread.js')]);
    placeCommand('npx', []);
    // A program of a page finds the packages as they are published.
    placeCommand('node', node);
    symlinkSync(join(equipped, 'node_modules'), join(folder, 'node_modules'));
    for (const { page, file, body } of blocks) if (file !== undefined) writeFileSync(join(roomOf(page), file), body);
  });

  const sessions = sessionsOf(blocks)
    .filter(({ command: { body } }) => tried.test(body))
    .map((session) => [`${session.command.page}:${session.command.line}`, session] as const);
  test.each(sessions)('%s', async (_, { command, output }) => {
    const path = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
    const env = { ...process.env, PATH: path, NO_COLOR: '1', COLUMNS: '100' };
    const script = `exec 2>&1\n${command.body.replace(/^\$ /gm, '')}`;
    const printed = await run(['/bin/sh', '-c', script], { cwd: roomOf(command.page), env });
    expect(printed.output.trimEnd()).toBe(output.body.trimEnd());
  });
});

describe('every link inside the repository leads somewhere', () => {
  const links = pages.flatMap((page) => linksOf(textOf(page)).map((link) => [page, link] as const));
  test.each(links)('%s → %s', (page, link) => {
    const [file = '', anchor] = link.split('#');
    const there = file === '' ? page : posix.join(file.startsWith('/') ? '.' : posix.dirname(page), file);
    expect(existsSync(join(root, there))).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(textOf(there))).toContain(anchor);
  });
});

describe('pages are read as they are written', () => {
  const page = [
    '# One `two`',
    '```json file=a.json',
    '{}',
    '```',
    '```sh',
    'rethread a.json',
    '```',
    '',
    '```text',
    'ok',
    '```',
  ];

  test('a block of text right after commands is their output', () => {
    const [session] = sessionsOf(blocksOf('a.md', page.join('\n')));
    expect([session?.command.body, session?.output.body]).toEqual(['rethread a.json\n', 'ok\n']);
  });

  test('a block of text after a sentence is not', () => {
    const apart = page.map((line) => (line === '' ? 'A sentence.' : line));
    expect(sessionsOf(blocksOf('a.md', apart.join('\n')))).toEqual([]);
  });

  test('a block may be a file, a heading is an anchor, and a link in a block is none', () => {
    expect(blocksOf('a.md', page.join('\n'))[0]).toMatchObject({ file: 'a.json', body: '{}\n', line: 3 });
    expect(anchorsOf(page.join('\n'))).toEqual(['one-two']);
    expect(linksOf('[a](b.md#c) [d](https://e.f)\n```\n[g](h)\n```')).toEqual(['b.md#c']);
    expect(linksOf('[a](https://github.com/rethread/rethread/blob/main/docs/a.md#b)')).toEqual(['/docs/a.md#b']);
  });
});
