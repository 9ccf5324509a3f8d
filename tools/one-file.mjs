import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';

import { build } from 'esbuild';
import { parseSync } from 'oxc-parser';

import { rewrite } from './rule-source.mjs';

/** What an entry point holds for its parts: no name that a program could import by mistake. */
const HELD = '"#parts"';

/**
 * Bundles a package so that importing it reads one file, with parts beside it that are loaded by those who need them.
 * esbuild keeps what an entry point shares with its parts in a file of its own; to find one more file, and to list all
 * that a built-in module of Node exports, takes longer than to read most of ours.
 *
 * @param {import('esbuild').BuildOptions} options
 * @param {string} entry The path of the file that is made for the entry point.
 */
export async function buildOneFile(options, entry) {
  const logOverride = /** @type {const} */ ({ 'ignored-bare-import': 'silent' });
  const { outputFiles } = await build({ ...options, logOverride, write: false, splitting: true });
  const files = new Map(outputFiles.map(({ path, text }) => [path, text]));
  const { shared, text } = joined(entry, files);
  files.delete(entry);
  files.set(shared, text);
  const moved = (/** @type {string} */ path) => (path === shared ? entry : path);
  for (const [path, before] of files) {
    const given = withVariables(before, specifier(path, shared));
    const after = [...files.keys()].reduce((all, other) => {
      const [was, is] = [specifier(path, other), specifier(moved(path), moved(other))];
      return all.replaceAll(`"${was}"`, `"${is}"`);
    }, given);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(moved(path), after);
  }
}

/** @param {string} from @param {string} to */
const specifier = (from, to) =>
  relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/^(?!\.)/, './');

/**
 * The shared file with what the entry point exports, and all that parts import from it as one object.
 *
 * @param {string} entry
 * @param {ReadonlyMap<string, string>} files
 */
function joined(entry, files) {
  const { staticImports, staticExports } = parseSync(entry, files.get(entry) ?? '').module;
  const from = staticImports[0]?.moduleRequest.value;
  const shared = [...files.keys()].find((path) => from === specifier(entry, path)) ?? '';
  const source = files.get(shared);
  if (source === undefined || staticImports.length !== 1) throw new Error(`${entry} has code of its own`);
  const own = parseSync(shared, source).module.staticExports;
  const locals = new Map(namesIn(own).map(({ exportName, localName }) => [exportName.name, localName.name]));
  const held = [...locals].map(([name, local]) => `${name}:${local}`);
  const exports = namesIn(staticExports).map(({ importName, exportName }) => {
    return `${locals.get(importName.name)} as ${exportName.name}`;
  });
  const code = rewrite(
    source,
    own.map(({ start, end }) => ({ start, end, text: '' })),
  );
  return { shared, text: `${code}var parts={${held.join(',')}};export{${exports.join(',')},parts as ${HELD}};\n` };
}

/** @param {import('oxc-parser').StaticExport[]} statements */
const namesIn = (statements) => statements.flatMap(({ entries }) => entries);

/**
 * Imports from Node and from the entry point as variables.
 *
 * @param {string} text
 * @param {string} shared
 */
function withVariables(text, shared) {
  const statements = parseSync('file.js', text).module.staticImports.filter(({ moduleRequest: { value } }) => {
    return value === shared || value.startsWith('node:');
  });
  const variables = statements.map(({ moduleRequest: { value }, entries }) => {
    const holder = value === shared ? 'parts' : `process.getBuiltinModule("${value}")`;
    const named = entries.filter(({ importName }) => typeof importName.name === 'string');
    const whole = entries.filter(({ importName }) => typeof importName.name !== 'string');
    const names = named.map(({ importName, localName }) => `${importName.name}:${localName.value}`);
    return [`{${names.join(',')}}`, ...whole.map(({ localName }) => localName.value)].map(
      (each) => `${each}=${holder}`,
    );
  });
  const code = rewrite(
    text,
    statements.map(({ start, end }) => ({ start, end, text: '' })),
  );
  const needed = statements.some(({ moduleRequest }) => moduleRequest.value === shared);
  const before = needed ? `import{${HELD} as parts}from"${shared}";` : '';
  return variables.length === 0 ? text : `${before}var ${variables.flat().join(',')};${code}`;
}
