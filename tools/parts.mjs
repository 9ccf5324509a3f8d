import { readFile, readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

import { parseSync, Visitor } from 'oxc-parser';

import { root } from './node.mjs';
import { examplesOf, rewrite, rewriteRules, rulesIn } from './rule-source.mjs';

const source = join(root, 'packages/core/src');
const rules = join(source, 'contracts/rules');

/** @param {Record<string, readonly string[]>} byPart @returns {Map<string, string>} The part of each module. */
const modules = (byPart) =>
  new Map(Object.entries(byPart).flatMap(([part, names]) => names.map((name) => [join(source, `${name}.ts`), part])));

/** Modules that export nothing but functions. */
const FUNCTIONS = modules({
  convert: ['convert', 'convert/carry', 'convert/relocate', 'convert/unite'],
  compaction: ['compact', 'filter', 'prune', 'should-compact', 'slices', 'summaries', 'tokens'],
  refusal: ['refusal'],
});

/** Codecs of histories that frameworks hold: few programs have more than one of them. */
const CODECS = modules({
  'ai-sdk': ['codecs/ai-sdk-model', 'codecs/ai-sdk-ui'],
  langchain: ['codecs/langchain'],
  'openai-agents': ['codecs/openai-agents'],
  'pydantic-ai': ['codecs/pydantic-ai'],
});

/** What a rule does about a breach, and what it says about itself: a clean history needs neither. */
const RULES = new Map(
  Object.entries({
    explain: 'acts',
    providerError: 'acts',
    repair: 'acts',
    title: 'words',
    layer: 'words',
    evidence: 'words',
    summary: 'words',
    examples: 'words',
  }),
);

const PARTS = [...new Set([FUNCTIONS, CODECS, RULES].flatMap((each) => [...each.values()]))];

/** The entry points of the library, and beside them those of its parts. */
export const partEntries = {
  index: 'part:index',
  'resume/index': 'part:resume/index',
  ...Object.fromEntries(PARTS.map((part) => [`parts/${part}`, `part:${part}`])),
};

// Nothing calls the imports: they are there for tools that collect the files of a program by following imports.
const loader = `const files = { ${PARTS.map((part) => `'${part}': () => import('./${part}.js')`).join(', ')} };
  const loaded = {};
  let load;
  const read = (name) => {
    load ??= process.getBuiltinModule('node:module').createRequire(import.meta.url);
    return files[name] && load('./parts/' + name + '.js');
  };
  export const part = (name) => loaded[name] ??= read(name);
  export const asking = {
    ${[...RULES].map(([name, part]) => `get ${name}() { return part('${part}').rules[this.id].${name} }`).join(',\n')}
  };`;

/**
 * The engine reads all code that is imported, and that is most of what an import costs. So what few programs need waits
 * in files of its own, and the first call that needs one loads it, at once: every function stays synchronous.
 *
 * @type {import('esbuild').Plugin}
 */
export const inParts = {
  name: 'in-parts',
  setup(building) {
    const written = (
      /** @type {string} */ namespace,
      /** @type {(path: string) => string | Promise<string>} */ write,
    ) =>
      building.onLoad({ filter: /^/, namespace }, async ({ path }) => ({
        contents: await write(path),
        loader: 'ts',
        resolveDir: path.endsWith('.ts') ? dirname(path) : source,
      }));
    written('loader', () => loader);
    written('part', writePart);
    written('waiting', writeFunctions);
    written('asking', writeAsking);
    written('acting', (path) => rewriteRules(path, (_, name) => (RULES.get(name) === 'words' ? '' : undefined)));
    written('table', writeTable);
    building.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path }) => ({ path, external: true }));
    building.onResolve({ filter: /^loader$/ }, ({ path }) => ({ path, namespace: 'loader' }));
    building.onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }));
    building.onResolve({ filter: /^\..*\.ts$/ }, ({ path, resolveDir, importer, namespace }) => {
      const wanted = join(resolveDir, path);
      return { path: wanted, namespace: namespaceOf(wanted, { importer, namespace }) };
    });
  },
};

/** @param {string} path @param {{ importer: string, namespace: string }} from */
function namespaceOf(path, { importer, namespace }) {
  if (dirname(path) === rules) return importer === 'acts' || namespace === 'acting' ? 'acting' : 'asking';
  if (path === join(source, 'codecs/dialects.ts')) return 'table';
  const part = FUNCTIONS.get(path);
  return part === undefined || part === importer || part === FUNCTIONS.get(importer) ? 'file' : 'waiting';
}

/** @param {string} part All parts import what the library begins with, so that esbuild keeps it in one file. */
async function writePart(part) {
  if (part.endsWith('index')) return `import './index.ts'; export * from './${part}.ts';`;
  const all = part === 'acts' || part === 'words' ? await writeRules(part) : writeModules(part);
  return `import './index.ts';\n${all}`;
}

/** @param {string} part */
function writeModules(part) {
  const paths = [...FUNCTIONS, ...CODECS].filter(([, name]) => name === part).map(([path]) => relative(source, path));
  return paths.map((path) => `export * from './${path.replaceAll('\\', '/')}';`).join('\n');
}

/** @param {'acts' | 'words'} part What all rules do or say, by their ids. */
async function writeRules(part) {
  const files = (await readdir(rules)).sort().map((name) => `contracts/rules/${name}`);
  const found = await Promise.all(
    files.map(async (path) => [...(await rulesIn(join(source, path))).values()].map((entry) => ({ path, ...entry }))),
  );
  const imports = found.flat().map(({ path, name }) => `import { ${name} } from './${path}';`);
  const entries = found.flat().map(({ name, rule }) => `'${rule.id}': ${part === 'acts' ? name : wordsOf(rule)}`);
  return [...(part === 'acts' ? imports : []), `export const rules = { ${entries.join(',\n')} };`].join('\n');
}

/** @param {import('./rule-source.mjs').Rule} rule */
function wordsOf(rule) {
  const names = [...RULES].filter(([, part]) => part === 'words').map(([name]) => name);
  const words = names.filter((name) => name !== 'examples').map((name) => `${name}: ${JSON.stringify(rule[name])}`);
  const examples = examplesOf(rule);
  if (examples === undefined) throw new Error(`the examples of ${rule.id} cannot be written down as data`);
  return `{ ${[...words, examples].join(', ')} }`;
}

/** @param {string} path A module of functions, each of which loads the one it stands for. */
async function writeFunctions(path) {
  const part = FUNCTIONS.get(path);
  const functions = Object.entries(await import(pathToFileURL(path).href)).map(([name, value]) => {
    if (typeof value !== 'function' || /^class\b/.test(String(value))) throw new Error(`${path}: ${name} cannot wait`);
    return `export const ${name} = (...given) => part('${part}').${name}(...given);`;
  });
  return [`import { part } from 'loader';`, ...functions].join('\n');
}

/** @param {string} path Rules that look up what they do or say when they are asked. */
async function writeAsking(path) {
  const text = await rewriteRules(path, ({ id }, name) => {
    if (name === 'id') return `__proto__: asking, id: '${id}'`;
    return RULES.has(name) ? '' : undefined;
  });
  return `import { asking } from 'loader';\n${text}`;
}

/** @param {string} path A table that loads some of its entries when they are looked up. */
async function writeTable(path) {
  const text = await readFile(path, 'utf8');
  /** @type {Map<string, string>} */
  const waiting = new Map();
  /** @type {import('./rule-source.mjs').Place[]} */
  const places = [];
  new Visitor({
    ImportDeclaration({ source: from, specifiers, start, end }) {
      const part = CODECS.get(join(dirname(path), from.value));
      if (part === undefined) return;
      for (const { local } of specifiers) waiting.set(local.name, part);
      places.push({ start, end, text: '' });
    },
    Property({ key, value, start, end }) {
      const part = value.type === 'Identifier' ? waiting.get(value.name) : undefined;
      if (part === undefined || value.type !== 'Identifier') return;
      const name = text.slice(key.start, key.end);
      places.push({ start, end, text: `get ${name}() { return part('${part}').${value.name} }` });
    },
  }).visit(parseSync(path, text).program);
  return `import { part } from 'loader';\n${rewrite(text, places)}`;
}
