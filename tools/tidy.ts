import { type Function as FunctionNode, type ArrowFunctionExpression, Visitor, type VisitorObject } from 'oxc-parser';

import { type Source, lineOf } from './sources.ts';

/** A claim about every file it applies to, and what to say of a file for which it does not hold. */
export type Rule = {
  readonly claim: string;
  readonly applies: (path: string) => boolean;
  readonly complaints: (source: Source) => readonly string[];
};

type Callable = FunctionNode | ArrowFunctionExpression;

const maxFunctionLines = 60;
const maxFileLines = 400;
const maxColumns = 120;
const maxParameters = 3;

/** The most lines that a folder may have. A number here is only ever lowered. */
export const lineBudgets = {
  bench: 2_678,
  'packages/core/src': 40_279,
  'packages/core/test': 26_573,
  'packages/store/src': 14_000,
} as const;

/** The same for core without the examples of its rules, which no program loads that repairs; and for its files. */
export const coreBudgets = { lines: 34_381, files: 338 } as const;

export const isExample = (path: string): boolean =>
  /^packages\/core\/src\/rules\/(examples|[^/]+\.examples\.ts$)/.test(path);

const everywhere = (): boolean => true;
const inCore = (path: string): boolean => path.startsWith('packages/core/src/');
const inTests = (path: string): boolean => path.endsWith('.test.ts');

const visit = (source: Source, visitor: VisitorObject): void => new Visitor(visitor).visit(source.program);

const at = (source: Source, position: number, words: string): string =>
  `${source.path}:${lineOf(source.text, position)} ${words}`;

/** All functions but the bodies of `describe`, which only hold tests together. */
const functionsOf = (source: Source): Callable[] => {
  const found: Callable[] = [];
  const groups = new Set<number>();
  const add = (node: Callable): void => void found.push(node);
  visit(source, {
    CallExpression: ({ callee, arguments: args }) => {
      const name = /^describe\b/.test(source.text.slice(callee.start, callee.end));
      if (name) for (const argument of args) groups.add(argument.start);
    },
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  });
  return found.filter(({ start }) => !groups.has(start));
};

/** A function that is only one expression holds data, and no steps to follow. */
const longFunctions = (source: Source): string[] =>
  functionsOf(source).flatMap(({ start, end, body }) => {
    if (body?.type !== 'BlockStatement') return [];
    const lines = lineOf(source.text, end) - lineOf(source.text, start) + 1;
    return lines > maxFunctionLines ? [at(source, start, `function of ${lines} lines`)] : [];
  });

const manyParameters = (source: Source): string[] =>
  functionsOf(source).flatMap(({ start, params }) =>
    params.length > maxParameters ? [at(source, start, `${params.length} parameters`)] : [],
  );

/** A line that holds one quotation and nothing else: breaking it would hide the text from a search. */
const quotation = /^\s*(?:[\w-]+: )?(['"`]).*\1[,;]?$/;

const wideLines = (source: Source): string[] =>
  source.lines.flatMap((line, index) =>
    line.length > maxColumns && !quotation.test(line) ? [`${source.path}:${index + 1} ${line.length} columns`] : [],
  );

const inComments =
  (pattern: RegExp) =>
  (source: Source): string[] =>
    source.comments.flatMap(({ start, value }) => (pattern.test(value) ? [at(source, start, value.trim())] : []));

const anyTypes = (source: Source): string[] => {
  const found: string[] = [];
  visit(source, { TSAnyKeyword: ({ start }) => void found.push(at(source, start, 'any')) });
  return found;
};

const banned = [/manager|helper|service|utils?$|sanitiz|normaliz|transcript/i, /^(process|handle)(?![a-z])/];

const bannedExports = (source: Source): string[] =>
  source.exports
    .filter((name) => banned.some((pattern) => pattern.test(name)))
    .map((name) => `${source.path} exports ${name}`);

/** Clock, chance, environment and locale: with any of these the same input would not give the same bytes. */
const impure = (source: Source): string[] => {
  const found: string[] = [];
  const properties = new Set<number>();
  visit(source, {
    MemberExpression: ({ object, property, computed, start }) => {
      if (!computed) properties.add(property.start);
      const [owner, member] = [object, property].map((node) => source.text.slice(node.start, node.end));
      if (owner === 'Math' && member === 'random') found.push(at(source, start, 'Math.random'));
      if (/^(toLocale\w*|localeCompare)$/.test(member ?? '')) found.push(at(source, start, String(member)));
    },
    Property: ({ key, computed, shorthand }) => {
      if (!computed && !shorthand) properties.add(key.start);
    },
    TSPropertySignature: ({ key }) => void properties.add(key.start),
    Identifier: ({ name, start }) => {
      const global = /^(Date|process|fetch|crypto|performance|globalThis|setTimeout|setInterval|Intl)$/.test(name);
      if (global && !properties.has(start)) found.push(at(source, start, name));
    },
  });
  return found;
};

/** A collection that is made where a module is loaded has to be of a type that nobody can change. */
const collection = /^new \w*(Map|Set|Array)\b|^Array\.from\(|^\[|^\{/;
const unchanging = /^(Readonly|readonly )/;

/** What a module remembers makes what a function gives depend on what was asked before. */
const keptState = (source: Source): string[] => {
  const found: string[] = [];
  const textOf = ({ start, end }: { start: number; end: number }): string => source.text.slice(start, end);
  for (const statement of source.program.body) {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (node?.type !== 'VariableDeclaration') continue;
    for (const { id, init, start } of node.declarations) {
      const type = 'typeAnnotation' in id && id.typeAnnotation ? textOf(id.typeAnnotation.typeAnnotation) : undefined;
      const value = init === null ? '' : textOf(init);
      const made =
        /^new (?!RegExp\b)/.test(value) || (type !== undefined && type.endsWith('[]') && collection.test(value));
      const empty = /^(\[\s*\]|\{\s*\}|Array\.from\()/.test(value);
      const held = (made || empty) && !unchanging.test(type ?? '');
      if (node.kind !== 'const' || held) found.push(at(source, start, textOf(id)));
    }
  }
  visit(source, {
    PropertyDefinition: (node) => {
      if (node.static && !node.readonly) found.push(at(source, node.start, textOf(node.key)));
    },
  });
  return found;
};

const heldTests = (source: Source): string[] => {
  const found: string[] = [];
  visit(source, {
    MemberExpression: ({ start, end }) => {
      const text = source.text.slice(start, end);
      if (/^(describe|test|it|suite)\b.*\.(only|skip|todo|fails)$/.test(text)) found.push(at(source, start, text));
    },
  });
  return found;
};

const renamedTests = (source: Source): string[] => {
  const found: string[] = [];
  visit(source, {
    ImportDeclaration: ({ start, end }) => {
      const text = source.text.slice(start, end);
      if (/\b(it|suite)\b.* from 'vitest'/.test(text)) found.push(at(source, start, text));
    },
  });
  return found;
};

const providers = /anthropic|openai|claude|\bgpt|gemini|mistral|bedrock|pydantic|langchain/i;

const providerNames = (source: Source): string[] =>
  source.lines.flatMap((line, index) => (providers.test(line) ? [`${source.path}:${index + 1} ${line.trim()}`] : []));

/** What holds for each file by itself. */
export const rules: readonly Rule[] = [
  { claim: `no function is longer than ${maxFunctionLines} lines`, applies: everywhere, complaints: longFunctions },
  {
    claim: `no file is longer than ${maxFileLines} lines`,
    applies: everywhere,
    complaints: ({ path, lines }) => (lines.length > maxFileLines + 1 ? [`${path} ${lines.length} lines`] : []),
  },
  { claim: `no line is wider than ${maxColumns} columns`, applies: everywhere, complaints: wideLines },
  { claim: `no function takes more than ${maxParameters} parameters`, applies: everywhere, complaints: manyParameters },
  {
    claim: 'every open task in a comment has a number',
    applies: everywhere,
    complaints: inComments(/\b(TODO|FIXME|XXX)\b(?! ?\(?#\d)/),
  },
  {
    claim: 'no comment switches a check off',
    applies: everywhere,
    complaints: inComments(/@ts-(ignore|nocheck|expect-error)|(eslint|oxlint)-disable|(v8|c8|istanbul) ignore|Stryker/),
  },
  { claim: 'nothing is of type any', applies: everywhere, complaints: anyTypes },
  {
    claim: 'exported names avoid the banned words',
    applies: (path) => /^packages\/[^/]+\/src\//.test(path) && !path.startsWith('packages/core/src/resume/'),
    complaints: bannedExports,
  },
  { claim: 'the core knows no clock, chance, environment or locale', applies: inCore, complaints: impure },
  { claim: 'no module of the core remembers anything', applies: inCore, complaints: keptState },
  {
    claim: 'the core names providers only in its dialects, rules and streams',
    applies: (path) => inCore(path) && !/^packages\/core\/src\/(dialects|rules|streams|model\/dialect\.ts)/.test(path),
    complaints: providerNames,
  },
  {
    claim: 'the agent names providers only in its ports',
    applies: (path) => /^packages\/agent\/src\/(?!ports\/)/.test(path),
    complaints: providerNames,
  },
  { claim: 'no test is held back or singled out', applies: inTests, complaints: heldTests },
  { claim: 'a test goes by the one name that the mutation run knows', applies: inTests, complaints: renamedTests },
  {
    claim: 'files are named in kebab-case, and no folder is a drawer for the rest',
    applies: everywhere,
    complaints: ({ path }) => {
      const plain = path.split('/').every((step) => /^[a-z0-9-]+(\.[a-z]+)*$/.test(step));
      return plain && !/\b(utils?|helpers?|misc|common|shared|lib)\//.test(path) ? [] : [path];
    },
  },
];
