import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { cache, root } from './bundles.ts';

/** Where a name is declared: in a file of declarations, under a name of its own there. */
type Place = { readonly file: string; readonly name: string };

/** One emitted file: what it declares, without comments, and the names it has from others. */
type Declarations = {
  readonly declared: ReadonlyMap<string, readonly string[]>;
  readonly imported: ReadonlyMap<string, Place>;
  readonly exported: ReadonlyMap<string, Place>;
  /** Files of which everything is exported again. */
  readonly all: readonly string[];
};

const emitted = join(cache, 'types');

function emit(): void {
  rmSync(emitted, { recursive: true, force: true });
  const alone = ['--composite', 'false', '--incremental', 'false', '--tsBuildInfoFile', 'null'];
  const args = ['node_modules/typescript/bin/tsc', '-p', 'packages/core', '--outDir', emitted, ...alone];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
}

const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replaceAll(/import\("[^"]*"\)\./g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .join('\n')
    .replace(/^\s*(export )?(declare )?/, '');

const DECLARED = /^\s*(?:export )?(?:declare )?(?:abstract )?(?:type|interface|function|class|const|let|enum) (\w+)/;

const readings = new Map<string, Declarations>();

function read(file: string): Declarations {
  const known = readings.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(emitted, file), 'utf8');
  const { program, module } = parseSync(file, text);
  const beside = (path: string): string => posix.join(posix.dirname(file), path).replace(/\.[jt]s$/, '.d.ts');
  const declared = new Map<string, string[]>();
  for (const { start, end } of program.body) {
    const statement = withoutComments(text.slice(start, end));
    const name = DECLARED.exec(statement)?.[1];
    if (name !== undefined) declared.set(name, [...(declared.get(name) ?? []), statement]);
  }
  const imported = new Map<string, Place>();
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName, localName } of entries) {
      imported.set(localName.value, { file: beside(moduleRequest.value), name: importName.name ?? localName.value });
    }
  }
  const exported = new Map<string, Place>();
  const all: string[] = [];
  for (const { entries } of module.staticExports) {
    for (const { exportName, importName, localName, moduleRequest } of entries) {
      const from = moduleRequest === null ? file : beside(moduleRequest.value);
      const name = exportName.name;
      if (name === null) all.push(from);
      else exported.set(name, { file: from, name: importName.name ?? localName.name ?? name });
    }
  }
  const reading = { declared, imported, exported, all };
  readings.set(file, reading);
  return reading;
}

/** Follows exports and imports to the file that declares a name. */
function declarationOf({ file, name }: Place): Place {
  const { declared, imported, exported, all } = read(file);
  if (declared.has(name)) return { file, name };
  const next = imported.get(name) ?? exported.get(name);
  if (next !== undefined) return declarationOf(next);
  const holder = all.find((each) => read(each).exported.has(name));
  if (holder === undefined) throw new Error(`nothing declares ${name}, which ${file} exports`);
  return declarationOf({ file: holder, name });
}

const exportsOf = (file: string): string[] => {
  const { exported, all } = read(file);
  return [...new Set([...exported.keys(), ...all.flatMap(exportsOf)])];
};

const textOf = ({ file, name }: Place): string => (read(file).declared.get(name) ?? []).join('\n');

/** Everything that a declaration names, and what that names in turn. */
function namedBy(place: Place, into: Map<string, Place>): void {
  const { declared, imported } = read(place.file);
  for (const word of new Set(textOf(place).match(/\w+/g))) {
    if (!declared.has(word) && !imported.has(word)) continue;
    const next = declarationOf({ file: place.file, name: word });
    const key = `${next.file} ${next.name}`;
    if (into.has(key)) continue;
    into.set(key, next);
    namedBy(next, into);
  }
}

function entryText(title: string, file: string): string {
  const exported = exportsOf(file).sort();
  const reached = new Map<string, Place>();
  const lines = exported.map((name) => {
    const place = declarationOf({ file, name });
    reached.set(`${place.file} ${place.name}`, place);
    return place.name === name ? textOf(place) : `${name} = ${textOf(place)}`;
  });
  const open = new Set(reached.keys());
  for (const place of reached.values()) namedBy(place, reached);
  const inner = [...reached].filter(([key]) => !open.has(key)).map(([, place]) => textOf(place));
  const named = [...new Set(inner)].sort().map((text) => `(not exported) ${text}`);
  return [`## ${title}`, ...lines, ...named].join('\n\n');
}

/** Every name that the core exports, with its declaration and with those that it rests on; no files and no comments. */
export function publicTypes(): string {
  emit();
  readings.clear();
  const text = readFileSync(join(root, 'packages/core/package.json'), 'utf8');
  const { name, exports } = JSON.parse(text) as {
    readonly name: string;
    readonly exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const entries = Object.entries(exports).flatMap(([entry, { types }]) =>
    types === undefined ? [] : [entryText(posix.join(name, entry), types.replace('./dist/', ''))],
  );
  return `${entries.join('\n\n')}\n`;
}
