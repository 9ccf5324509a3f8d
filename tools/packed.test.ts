import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { blocksOf } from './docs-blocks.ts';
import { bringsNode, oldestNode, root } from './node.mjs';
import { packed } from './packed.ts';

const execute = promisify(execFile);

let project = '';
let equipped = '';
let folder = '';
beforeAll(async () => {
  ({ project, equipped } = await packed());
  folder = await mkdtemp(join(project, 'programs-'));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
const place = async (program: string, extension: string): Promise<string> => {
  count += 1;
  const path = join(folder, `program-${count}.${extension}`);
  await writeFile(path, program);
  return path;
};

/** The nodes that a program of a user may run on. */
const nodes = [process.execPath, ...(existsSync(oldestNode) ? [oldestNode] : [])];

type Way = { readonly extension?: string; readonly flags?: readonly string[] };

/** What a program prints on every Node; warnings count as failures. */
const printAll = async (program: string, { extension = 'mjs', flags = [] }: Way = {}): Promise<string[]> => {
  const path = await place(program, extension);
  const printed = await Promise.all(nodes.map((node) => execute(node, [...flags, path], { cwd: project })));
  expect(printed.map(({ stderr }) => stderr)).toEqual(nodes.map(() => ''));
  return printed.map(({ stdout }) => stdout.trim());
};

/** What a program prints, the same on every Node. */
const print = async (program: string, way?: Way): Promise<string> => {
  const [first = '', ...others] = await printAll(program, way);
  expect(others).toEqual(others.map(() => first));
  return first;
};

/** What an expression gives in a program that imports all of a module as `it`. */
const evaluate = async (module: string, expression: string, flags: readonly string[] = []): Promise<unknown> => {
  const program = `import * as it from '${module}';\nconsole.log(JSON.stringify(await (${expression})));\n`;
  return JSON.parse(await print(program, { flags })) as unknown;
};

test('the oldest Node that is promised is tried wherever the repository brings it', () => {
  expect(nodes.length).toBe(bringsNode() ? 2 : 1);
});

const user = (content: string): object => ({ role: 'user', content });
const request = (content: string): object => ({ kind: 'request', parts: [{ part_kind: 'user-prompt', content }] });
const response = (content: string): object => ({ kind: 'response', parts: [{ part_kind: 'text', content }] });
const chat = [user('Hello.'), { role: 'assistant', content: 'Good morning.' }];
const asked = [request('Hello.'), response('Good morning.'), request('Are you there?')];
const dangling = [
  user('List the files.'),
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
];

// Bundlers take other files than Node does: the condition has Node take them too.
describe.each([
  ['the bundles for Node', []],
  ['the modules for bundlers', ['--conditions=module']],
])('%s', (_, flags) => {
  const given = (list: readonly unknown[]): string => JSON.stringify(list);

  test.each([
    ['@rethread/core', `it.repair(${given(dangling)}).report.verdict`, 'repaired'],
    ['rethread', `it.repair(${given(dangling)}).report.verdict`, 'repaired'],
    ['@rethread/core', `it.rules().length > 50`, true],
    ['@rethread/core', `it.explain('call-without-result')?.id`, 'call-without-result'],
    ['@rethread/core/resume', `it.dropTrailingRequest(${given(asked)}).messages.length`, 2],
    ['@rethread/core/resume', `it.dropTrailingRequest(${given([...chat, user('Still there?')])}).messages`, chat],
    ['@rethread/core/resume', `it.sanitizeHistoryForResume(${given(chat)})`, chat],
    ['rethread/resume', `it.dropTrailingRequest(${given(asked)}).messages`, asked.slice(0, 2)],
    ['rethread/streams', `typeof it.createAccumulator`, 'function'],
    ['@rethread/core', `it.generateSummary([]).catch((error) => error instanceof it.SummaryError)`, true],
    ['rethread', `import('@rethread/core').then((core) => core.repair === it.repair)`, true],
    ['@rethread/core', `import('@rethread/core/resume').then((resume) => resume.splitHead === it.splitHead)`, true],
  ])('%s: %s', async (module, expression, expected) => {
    expect(await evaluate(module, expression, flags)).toEqual(expected);
  });
});

test('the sample of the page on session management goes on with a stored session', async () => {
  const page = readFileSync(join(root, 'docs/session-management.md'), 'utf8');
  const sample = blocksOf('', page).find(({ body }) => body.includes('function historyForNextRun'))?.body;
  const program = `${sample}\nconsole.log(JSON.stringify(historyForNextRun(${JSON.stringify(asked)} as Stored[])));\n`;
  const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  expect(JSON.parse(await print(program, { extension: 'mts', flags }))).toEqual(asked.slice(0, 2));
});

test('CommonJS programs can require the packages', async () => {
  const program = `const { repair } = require('rethread');
    const core = require('@rethread/core');
    const { runCleanupLoop } = require('rethread/resume');
    const { open } = require('@rethread/store');
    console.log(repair === core.repair, typeof runCleanupLoop, typeof open);`;
  expect(await print(program, { extension: 'cjs' })).toBe('true function function');
});

test('a store, the loop, the simulator and the adapters work without any SDK', async () => {
  const program = `import { createAgent, scripted } from '@rethread/agent';
    import { repairingFetch } from '@rethread/adapters/fetch';
    import { settle } from '@rethread/adapters/loop';
    import { createSimulator, judge } from '@rethread/simulator';
    import { open } from '@rethread/store';
    import { conformance } from '@rethread/store/conformance';
    await import('@rethread/adapters/ai-sdk');
    await import('@rethread/adapters/openai-agents');
    for (const url of ['memory:', 'file:${folder}/sessions']) {
      const store = await open(url);
      await (await store.create()).append({ kind: 'note', data: url });
      await store.close();
    }
    const store = await open('memory:');
    const agent = createAgent({ store, model: scripted({ replies: [{ text: 'Hello.' }] }) });
    const { text } = await agent.run('s', 'Hi.').result;
    await store.close();
    await (await createSimulator()).close();
    console.log(text, typeof repairingFetch, typeof settle, typeof judge, typeof conformance);`;
  expect(await print(program)).toBe('Hello. function function function function');
});

test('the command runs, and prints the same on every Node', async () => {
  const command = join(project, 'node_modules/rethread/dist/rethread.js');
  const printed = await Promise.all(nodes.map((node) => execute(node, [command, 'demo'], { cwd: folder })));
  const [first, ...others] = printed.map(({ stdout, stderr }) => stdout + stderr);
  expect(first).toContain('accepts the repaired request.');
  expect(others).toEqual(others.map(() => first));
});

test.each([
  ['@rethread/store', 'StoreError', `import('@rethread/store').then(({ open }) => open('no-such:store'))`],
  ['@rethread/agent', 'AgentError', `import('@rethread/agent').then(({ createAgent }) => createAgent({}))`],
  ['@rethread/core', 'SummaryError', `import('@rethread/core').then(({ generateSummary }) => generateSummary([]))`],
])('an error of one copy of %s is a %s for another copy', async (name, error, failing) => {
  const other = import.meta.resolve(join(equipped, 'node_modules', name, 'package.json'));
  const program = `import { createRequire } from 'node:module';
    import { ${error} } from '${name}';
    const { ${error}: Other } = createRequire('${other}')('${name}');
    const thrown = await ${failing}.catch((thrown) => thrown);
    console.log(thrown instanceof ${error}, thrown instanceof Other, Other.is(thrown), Other.is(new Error('x')));`;
  expect(await print(program)).toBe('true false true false');
});

test('a store on SQLite works, or says which Node it needs', async () => {
  const program = `import { open } from '@rethread/store';
    const url = 'sqlite:${folder}/sessions-' + process.versions.node + '.db';
    const opened = await open(url).catch((error) => error);
    console.log(opened instanceof Error ? opened.code + ': ' + opened.message : 'open');
    if (!(opened instanceof Error)) await opened.close();`;
  const [newest, ...oldest] = await printAll(program, { flags: ['--disable-warning=ExperimentalWarning'] });
  expect(newest).toBe('open');
  const sentence = 'unsupported: sqlite: needs Node 22.16 or newer, whose SQLite has full-text search (FTS5)';
  expect(oldest).toEqual(oldest.map(() => sentence));
});

test('a package that is needed and missing is named, with the command that installs it', async () => {
  const counting = `import { loadTokenCounter } from '@rethread/adapters/gpt-tokenizer';
    await loadTokenCounter().catch((error) => console.log(error.message));`;
  expect(await print(counting)).toContain('npm install gpt-tokenizer');
  const asking = await place(`import '@rethread/agent/openai';`, 'mjs');
  await expect(execute(process.execPath, [asking], { cwd: project })).rejects.toThrow("Cannot find package 'openai'");
  const storing = `import { open } from '@rethread/store';
    await open('postgres://localhost/x').catch((error) => console.log(error.message));`;
  expect(await print(storing)).toContain('npm install pg');
});

describe('an error names our lines', () => {
  const failing = `import { open } from '@rethread/store';
    const store = await open('memory:');
    await store.import('no session').catch((error) => console.log(error.stack));`;
  const inCore = `import { generateSummary } from '@rethread/core';
    await generateSummary([]).catch((error) => console.log(error.stack));`;

  test.each([
    ['@rethread/store', failing],
    ['@rethread/core', inCore],
  ])('of %s: in TypeScript with --enable-source-maps, and readable without', async (name, program) => {
    for (const mapped of await printAll(program, { flags: ['--enable-source-maps'] })) {
      expect(mapped).toMatch(new RegExp(`${name}/src/[\\w/-]+\\.ts:\\d+:\\d+`));
      const [, path = ''] = /(\/\S+\.ts):\d+:\d+/.exec(mapped) ?? [];
      expect(existsSync(path)).toBe(true);
    }
    for (const plain of await printAll(program)) {
      const [, script = '', line] = /(\/\S+\.js):(\d+):\d+/.exec(plain) ?? [];
      expect(readFileSync(script, 'utf8').split('\n')[Number(line) - 1]?.length).toBeLessThan(300);
    }
  });

  test('objects show the names of their classes', async () => {
    const program = `import { open } from '@rethread/store';
      const store = await open('memory:');
      const session = await store.create();
      console.log(store.constructor.name, session.constructor.name);`;
    expect(await print(program)).toBe('Store Session');
  });
});

describe('a bundle for browsers', () => {
  const bundle = async (program: string): Promise<{ kilobytes: number; files: string[] }> => {
    const stdin = { contents: program, resolveDir: project };
    const options = { bundle: true, write: false, metafile: true, format: 'esm', minify: true } as const;
    const { outputFiles, metafile } = await build({ stdin, ...options });
    return { kilobytes: (outputFiles[0]?.contents.length ?? 0) / 1000, files: Object.keys(metafile.inputs) };
  };

  test('has nothing in it that was made for Node', async () => {
    const { files } = await bundle(`export * from 'rethread'; export * from 'rethread/resume';`);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((path) => path.includes('/dist/node/'))).toEqual([]);
  });

  test('leaves out what is not used: detectDialect alone is at most 60 kB', async () => {
    expect((await bundle(`export { detectDialect } from 'rethread';`)).kilobytes).toBeLessThan(60);
  });
});

describe('types', () => {
  const program = `import { encode, repair, type Sendable } from 'rethread';
    import { encode as coreEncode } from '@rethread/core';
    import { dropTrailingRequest } from 'rethread/resume';
    import { createAccumulator } from 'rethread/streams';
    import { open } from '@rethread/store';

    const store = await open('memory:');
    const { sendable } = await store.recoverSession('s', 'anthropic-messages');
    export const wire: unknown = sendable === undefined ? undefined : encode(sendable);
    export const same: (sendable: Sendable) => unknown = coreEncode;
    export const used = [repair, dropTrailingRequest, createAccumulator];
    // @ts-expect-error What was not proven is no Sendable.
    encode({ dialect: 'anthropic-messages', wire: [] });
  `;

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('a Sendable of the store is one of rethread: %s, %s', async (module, moduleResolution) => {
    const path = await place(program, 'mts');
    const config = join(folder, `tsconfig.${moduleResolution}.json`);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      module,
      moduleResolution,
      target: 'es2023',
      skipLibCheck: false,
    };
    const types = { types: ['node'], typeRoots: [join(root, 'node_modules/@types')] };
    await writeFile(config, JSON.stringify({ compilerOptions: { ...compilerOptions, ...types }, files: [path] }));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', config, '--pretty', 'false'], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
});
