import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { root } from './node.mjs';
import { filesBelow, parse, sources, target } from './sources.ts';
import { coreBudgets, isExample, lineBudgets, rules } from './tidy.ts';

const all = sources();
const shipped = all.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));

const manifest = JSON.parse(readFileSync(join(root, 'packages/adapters/package.json'), 'utf8')) as { exports: object };
const adapters = Object.keys(manifest.exports).map((entry) => entry.slice(2));

describe('the house is tidy', () => {
  test.each(rules)('$claim', ({ applies, complaints }) => {
    expect(all.filter(({ path }) => applies(path)).flatMap(complaints)).toEqual([]);
  });

  test('every shipped file has an importer, unless it is an entry point', () => {
    const entries = new Set([
      'core/src/index.ts',
      'core/src/resume/index.ts',
      'core/src/examples.ts',
      'core/src/streams/index.ts',
      'simulator/src/index.ts',
      'store/src/index.ts',
      'store/src/conformance/index.ts',
      ...['index', 'ports/ai-sdk', 'ports/anthropic', 'ports/openai'].map((name) => `agent/src/${name}.ts`),
      ...adapters.map((name) => `adapters/src/${name}.ts`),
      'formats/src/index.ts',
      ...['index.ts', 'reader/main.ts', 'page/main.tsx'].map((name) => `inspector/src/${name}`),
      'server/src/index.ts',
      'cli/src/main.ts',
      'cli/src/index.ts',
      'cli/src/resume.ts',
      'cli/src/streams.ts',
    ]);
    const imported = new Set(
      shipped.flatMap(({ path, imports }) => imports.map((specifier) => target(path, specifier))),
    );
    const lonely = shipped.filter(({ path }) => !imported.has(path) && !entries.has(path.replace('packages/', '')));
    expect(lonely.map(({ path }) => path)).toEqual([]);
  });

  test.each(Object.entries(lineBudgets))('%s/ has at most %i lines', (folder, most) => {
    const within = all.filter(({ path }) => path.startsWith(`${folder}/`));
    expect(within.length).toBeGreaterThan(0);
    expect(within.reduce((sum, { lines }) => sum + lines.length - 1, 0)).toBeLessThanOrEqual(most);
  });

  test('core has no more lines and files, without examples, than its budgets say', () => {
    const core = shipped.filter(({ path }) => path.startsWith('packages/core/src/') && !isExample(path));
    expect(core.length).toBeLessThanOrEqual(coreBudgets.files);
    expect(core.length).toBeGreaterThan(coreBudgets.files / 2);
    expect(core.reduce((sum, { lines }) => sum + lines.length - 1, 0)).toBeLessThanOrEqual(coreBudgets.lines);
  });

  test('half of the shipped files are shorter than 120 lines', () => {
    const lengths = shipped.map(({ lines }) => lines.length - 1).sort((a, b) => a - b);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(120);
  });

  test('between 5 and 20 % of the shipped lines are comments', () => {
    const lines = shipped.reduce((sum, { lines }) => sum + lines.filter((line) => line.trim() !== '').length, 0);
    const comments = shipped.flatMap((source) => source.comments.map(({ value }) => value.split('\n').length));
    const share = comments.reduce((sum, count) => sum + count, 0) / lines;
    expect(share).toBeGreaterThan(0.05);
    expect(share).toBeLessThan(0.2);
  });

  test('no file holds a path or an address of the machine it was written on', () => {
    const texts = filesBelow('.').filter((path) => /\.(ts|mjs|json|md|yml|npmrc)$|^\.ci\//.test(path));
    const pattern = /(^|[\s"'`(=])\/(work|tmp|root|home)\/|"resolved": "[a-z]+:|registry[.]npm/;
    const guilty = texts.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')));
    expect(guilty).toEqual([]);
  });

  test('every script of the root begins with a tool that any Node can run before anything is installed', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const unready = Object.entries(scripts).filter(([, line]) => !/^node tools\/[a-z]+\.mjs\b/.test(line));
    expect(unready).toEqual([]);
    expect(Object.values(scripts).filter((line) => / node /.test(line))).toEqual([]);
  });
});

const many = (count: number): string => '  run();\n'.repeat(count);

describe('each rule of tidiness notices its breach', () => {
  const breaches: readonly (readonly [claim: RegExp, path: string, text: string])[] = [
    [/function is longer/, 'tools/a.ts', `const f = () => {\n${many(59)}};\n`],
    [/file is longer/, 'tools/a.ts', many(401)],
    [/line is wider/, 'tools/a.ts', `const a = '${'x'.repeat(120)}';\n`],
    [/parameters/, 'tools/a.ts', 'const f = (a, b, c, d) => a;\n'],
    [/open task/, 'tools/a.ts', '// TODO: later\n'],
    [/switches a check off/, 'tools/a.ts', '// @ts-ignore\n'],
    [/type any/, 'tools/a.ts', 'const a: any = 1;\n'],
    [/banned words/, 'packages/core/src/a.ts', 'export const sanitizeText = 1;\n'],
    [/banned words/, 'packages/core/src/a.ts', 'export class StoreManager {}\n'],
    [/banned words/, 'packages/core/src/a.ts', 'export function handleResult() {}\n'],
    [/clock/, 'packages/core/src/a.ts', 'const now = Date.now();\n'],
    [/clock/, 'packages/core/src/a.ts', 'const chance = Math.random();\n'],
    [/clock/, 'packages/core/src/a.ts', 'const env = process.env;\n'],
    [/clock/, 'packages/core/src/a.ts', 'const order = a.localeCompare(b);\n'],
    [/remembers/, 'packages/core/src/a.ts', 'let last = 0;\n'],
    [/remembers/, 'packages/core/src/a.ts', 'export let last: string | undefined;\n'],
    [/remembers/, 'packages/core/src/a.ts', 'const known = new Map<string, string>();\n'],
    [/remembers/, 'packages/core/src/a.ts', 'export const known: WeakMap<object, number> = new WeakMap();\n'],
    [/remembers/, 'packages/core/src/a.ts', 'const units = new Uint8Array(128);\n'],
    [/remembers/, 'packages/core/src/a.ts', 'const ids: StepIds = new StepIds();\n'],
    [/remembers/, 'packages/core/src/a.ts', 'const lists: unknown[] = [];\n'],
    [/remembers/, 'packages/core/src/a.ts', "const keys: string[] = Array.from({ length: 8 }, () => 'key');\n"],
    [/remembers/, 'packages/core/src/a.ts', 'const byId: Record<string, number> = {};\n'],
    [/remembers/, 'packages/core/src/a.ts', 'class A { static last = 0; }\n'],
    [/providers/, 'packages/core/src/engine/a.ts', "const a = 'openai-chat';\n"],
    [/held back/, 'tools/a.test.ts', "describe('a', () => {}); test.only('b', () => {});\n"],
    [/held back/, 'tools/a.test.ts', "test.concurrent.skip('b', () => {});\n"],
    [/one name/, 'tools/a.test.ts', "import { describe, it } from 'vitest';\n"],
    [/kebab-case/, 'tools/someFile.ts', ''],
    [/kebab-case/, 'packages/core/src/utils/a.ts', ''],
  ];

  test.each(breaches)('%s in %s', (claim, path, text) => {
    const rule = rules.find((candidate) => claim.test(candidate.claim));
    expect(rule?.applies(path)).toBe(true);
    expect(rule?.complaints(parse(path, text))).toHaveLength(1);
  });

  test('a property named like a global is no breach', () => {
    const text = 'const a = { fetch: 1 }; const b = a.fetch; type C = { process: string };\n';
    const rule = rules.find(({ claim }) => claim.includes('clock'));
    expect(rule?.complaints(parse('packages/core/src/a.ts', text))).toEqual([]);
  });

  test('what nobody can change is nothing that a module remembers', () => {
    const rule = rules.find(({ claim }) => claim.includes('remembers'));
    const text =
      "const KEYS: ReadonlySet<string> = new Set(['a']);\nconst NONE: readonly string[] = [];\n" +
      'export const PLAIN: Readonly<Record<string, string>> = {};\nconst WORD = new RegExp("b");\n' +
      'class A { static readonly none = 0; }\nfunction f() { let i = 0; return [i, new Map()]; }\n';
    expect(rule?.complaints(parse('packages/core/src/a.ts', text))).toEqual([]);
  });

  test('the body of a describe is not a function that can be too long', () => {
    const rule = rules.find(({ claim }) => claim.includes('function is longer'));
    expect(rule?.complaints(parse('tools/a.test.ts', `describe('a', () => {\n${many(80)}});\n`))).toEqual([]);
  });
});
