import { readFileSync, readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';

import { type Comment, type Program, parseSync } from 'oxc-parser';

import { root } from './node.mjs';

/** One file of ours, read and parsed. */
export type Source = {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly program: Program;
  readonly comments: readonly Comment[];
  readonly exports: readonly string[];
  /** What it imports, as written. */
  readonly imports: readonly string[];
};

const skipped = new Set(['node_modules', 'dist', 'coverage', 'reports', '.git', '.stryker-tmp', '.setup-lock']);

/** All files below a folder of the repository, without what is installed or built. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !skipped.has(entry.name))
    .flatMap((entry) => {
      const path = posix.join(folder.split(sep).join('/'), entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    })
    .sort();

/** Parses one text; the path decides the language. */
export const parse = (path: string, text: string): Source => {
  const { program, comments, module } = parseSync(path, text);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const lazy = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1));
  return {
    path,
    text,
    lines: text.split('\n'),
    program,
    comments,
    exports: exported.flatMap(({ exportName }) => exportName.name ?? []),
    imports: [
      ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...exported.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
      ...lazy,
    ],
  };
};

/** Every TypeScript and JavaScript file of the repository. */
export const sources = (): Source[] =>
  filesBelow('.')
    .filter((path) => /\.(tsx?|mjs)$/.test(path))
    .map((path) => parse(path, readFileSync(join(root, path), 'utf8')));

/** The file a relative import leads to, or nothing for a package or a built-in. */
export const target = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : undefined;

/** The line a position of the text is on, counted from 1. */
export const lineOf = (text: string, position: number): number => text.slice(0, position).split('\n').length;
