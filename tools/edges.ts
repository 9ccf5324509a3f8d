import { type Source, target } from './sources.ts';

/** One import that the design does not allow. */
export type Breach = `${string} imports ${string}`;

const packages: Readonly<Record<string, readonly string[]>> = {
  core: [],
  simulator: [],
  store: ['core'],
  adapters: ['store', 'core'],
  agent: ['store', 'core'],
  formats: ['store', 'core'],
  inspector: ['formats', 'store', 'core'],
  server: ['adapters', 'formats', 'store', 'core'],
  cli: ['agent', 'formats', 'inspector', 'server', 'simulator', 'store', 'core'],
};

/** The rooms of the core, and what each may import beside itself; the files at the top may import all of these. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  model: [],
  project: ['model'],
  dialects: ['model'],
  streams: ['dialects', 'model'],
  rules: ['pairs', 'model'],
  compaction: ['model'],
  engine: ['rules', 'pairs', 'model'],
  pairs: ['model'],
};

const packageOf = (path: string): string | undefined => /^packages\/([^/]+)\/src\//.exec(path)?.[1];

const roomOf = (path: string): string => {
  const room = /^packages\/core\/src\/([^/.]+)/.exec(path)?.[1] ?? '';
  return room in rooms || room === 'resume' ? room : 'top';
};

const ours = (specifier: string): string | undefined => {
  if (specifier === 'rethread') return 'cli';
  return /^@rethread\/([^/]+)/.exec(specifier)?.[1];
};

const acrossPackages = (from: string, specifier: string): boolean => {
  const home = packageOf(from);
  if (home === undefined) return true;
  const path = target(from, specifier);
  const there = path === undefined ? ours(specifier) : (packageOf(path) ?? 'outside');
  if (there === undefined) return home !== 'core';
  // Another package is reached by its name: a path into it would go round its public face.
  return there === home || (path === undefined && packages[home]?.includes(there) === true);
};

const insideCore = (from: string, specifier: string): boolean => {
  const path = target(from, specifier);
  if (packageOf(from) !== 'core' || path === undefined) return true;
  const [home, there] = [roomOf(from), roomOf(path)];
  if (home === 'resume' || home === there) return true;
  return home === 'top' ? there !== 'resume' : rooms[home]?.includes(there) === true;
};

/** The judges know nothing but JSON, so that they also run where there is no server and no Node. */
const judgesApart = (from: string, specifier: string): boolean => {
  const judges = 'packages/simulator/src/judges/';
  return !from.startsWith(judges) || target(from, specifier)?.startsWith(judges) === true;
};

const holdsExamples = (path: string): boolean =>
  /^packages\/core\/src\/(examples|rules\/examples|rules\/examples\/.*|rules\/.*\.examples)\.ts$/.test(path);

/** Examples are for tests, documents and `explain`: a program that repairs never loads them. */
const examplesApart = (from: string, specifier: string): boolean => {
  const path = target(from, specifier);
  return packageOf(from) !== 'core' || path === undefined || holdsExamples(from) || !holdsExamples(path);
};

const allowed = [acrossPackages, insideCore, judgesApart, examplesApart];

/** Every import of the files that the design does not allow. */
export const breaches = (sources: readonly Pick<Source, 'path' | 'imports'>[]): Breach[] =>
  sources.flatMap(({ path, imports }) =>
    imports
      .filter((specifier) => !allowed.every((rule) => rule(path, specifier)))
      .map((specifier): Breach => `${path} imports ${specifier}`),
  );
