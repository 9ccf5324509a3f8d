import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { parseSync } from 'oxc-parser';
import { beforeAll, describe, expect, test } from 'vitest';

import { root } from './node.mjs';

const dist = join(root, 'packages/core/dist');
const [forAll, forNode] = ['index.js', 'node/index.js'] as const;

const clean = [
  { role: 'user', content: 'List the files.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
];

/** What an expression gives, and the parts it has loaded, in a process where nothing else has loaded one. */
const evaluate = (file: string, expression: string): { value: unknown; parts: string[] } => {
  const program = `import * as core from ${JSON.stringify(join(dist, file))};
    const clean = ${JSON.stringify(clean)};
    const value = await (${expression});
    const files = Object.keys(process.getBuiltinModule('node:module')._cache);
    const parts = files.map((path) => path.replace(/.*[\\\\/]parts[\\\\/]|[.]js$/g, ''));
    console.log(JSON.stringify({ value, parts }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  return JSON.parse(output) as { value: unknown; parts: string[] };
};

beforeAll(() => {
  execFileSync(process.execPath, ['tools/build.mjs'], { cwd: root });
});

describe('the library for Node', () => {
  test.each([
    ['a broken history', `core.repair(clean.slice(0, 2))`, ['acts']],
    ['a refusal', `core.repair(clean, undefined, { refusal: 'max_tokens: too large' })`, ['refusal']],
    ['words on a rule', `core.explain('call-without-result')`, ['words']],
    ['another dialect', `core.convert(clean, { to: 'openai-chat' })`, ['convert']],
    ['an estimate', `core.estimateTokens(clean)`, ['compaction']],
    ['messages of the AI SDK', `core.check([{ role: 'user', content: '' }], 'ai-sdk-model')`, ['ai-sdk', 'acts']],
    ['messages of LangChain', `core.check([{ type: 'human', content: 'Hello.' }], 'langchain')`, ['langchain']],
    [
      'items of the Agents SDK',
      `core.check([{ role: 'user', content: 'Hello.' }], 'openai-agents')`,
      ['openai-agents'],
    ],
    ['messages of pydantic-ai', `core.check([{ kind: 'request', parts: [] }], 'pydantic-ai')`, ['pydantic-ai']],
  ])('%s: loads what it needs, and gives what the library for browsers gives', (_, expression, parts) => {
    const found = evaluate(forNode, expression);
    expect(found.parts).toEqual(expect.arrayContaining(parts));
    expect(found.value).toEqual(evaluate(forAll, expression).value);
    expect(found.value).toBeDefined();
  });

  test('a clean history loads no part', () => {
    expect(evaluate(forNode, `core.repair(clean).report.verdict`)).toEqual({ value: 'clean', parts: [] });
  });

  test('the names are those of the library for browsers', () => {
    const names = `Object.keys(core).filter((name) => name !== '#parts')`;
    expect(evaluate(forNode, names).value).toEqual(evaluate(forAll, names).value);
  });

  test('a part throws the class of errors that the library exports', () => {
    const thrown = `core.generateSummary([]).catch((error) => error instanceof core.SummaryError)`;
    expect(evaluate(forNode, thrown)).toEqual({ value: true, parts: expect.arrayContaining(['compaction']) });
  });

  test('the named entry points share everything with it', () => {
    const resume = JSON.stringify(join(dist, 'node/resume/index.js'));
    expect(evaluate(forNode, `(await import(${resume})).splitHead === core.splitHead`).value).toBe(true);
  });
});

test.each([
  ['core/dist/node/index.js', []],
  ['store/dist/index.js', ['@rethread/core']],
])('to import %s is to read one file', (path, others) => {
  const { module } = parseSync(path, readFileSync(join(root, 'packages', path), 'utf8'));
  expect([...new Set(module.staticImports.map(({ moduleRequest }) => moduleRequest.value))]).toEqual(others);
});

test.each(['browser', 'node'] as const)('a program that is bundled for %s has no part to find', async (platform) => {
  const stdin = {
    contents: `export * from '@rethread/core'; export * from '@rethread/core/resume';`,
    resolveDir: root,
  };
  const { metafile } = await build({ stdin, bundle: true, write: false, metafile: true, format: 'esm', platform });
  const files = Object.keys(metafile.inputs).map((path) => path.replace(/^.*packages\/core\/dist\//, ''));
  expect(files).toEqual(expect.arrayContaining(['index.js', 'resume/index.js', 'shared.js']));
  expect(files.filter((path) => path.startsWith('node/'))).toEqual([]);
});
