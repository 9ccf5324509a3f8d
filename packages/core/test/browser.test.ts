import { createContext, runInContext } from 'node:vm';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';

import { repair } from '../src/index.ts';

const entries = {
  '@rethread/core': '../src/index.ts',
  '@rethread/core/resume': '../src/resume/index.ts',
  '@rethread/core/streams': '../src/streams/index.ts',
};

/** A browser bundle knows no Node built-in: esbuild fails on one. */
const bundle = async (entry: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'rethread',
    target: 'es2023',
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
};

const dangling = [
  { role: 'user', content: 'List the files.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'ls', input: {} }] },
  { role: 'user', content: 'Never mind.' },
];

describe('the core runs where there is no Node', () => {
  test.each(Object.entries(entries))('%s loads with nothing but the language around it', async (_, entry) => {
    const names: unknown = runInContext(`${await bundle(entry)}; Object.keys(rethread).length`, createContext({}));
    expect(names).toBeGreaterThan(0);
  });

  test('a repair in a browser gives the bytes a repair in Node gives', async () => {
    const call = `JSON.stringify(rethread.repair(${JSON.stringify(dangling)}, 'anthropic-messages'))`;
    const there: unknown = runInContext(`${await bundle(entries['@rethread/core'])}; ${call}`, createContext({}));
    const here = repair(dangling, 'anthropic-messages');
    expect(here.report.verdict).toBe('repaired');
    expect(there).toBe(JSON.stringify(here));
  });

  test('a Node built-in would not get into the bundle', async () => {
    const stdin = { contents: `import 'node:fs';`, resolveDir: fileURLToPath(new URL('.', import.meta.url)) };
    const broken = build({ stdin, bundle: true, write: false, platform: 'browser', logLevel: 'silent' });
    await expect(broken).rejects.toThrow('node:fs');
  });
});
